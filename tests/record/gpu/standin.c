/* A GPU that only sleeps, with CUDA's calls and CUPTI's: streams are threads, a kernel takes as many ns as its first
 * argument says, a copy one for each byte, whenever its thread wakes. Its clock has another beginning than the host's
 * and is a twentieth faster.
 * Records and what callbacks get are laid out by byte, as CUPTI's headers of CUDA 11.8 and 12.9 have them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_streams = 8, driver_calls = 1, runtime_calls = 2, a_copy = 1, a_fill = 2, a_kernel = 10, not_ready = 600 };

/* Clock */

static uint64_t host_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
static uint64_t own_time(uint64_t host) {
  return host + host / 20 + 123456789012345u;
}
uint64_t standin_now(void) {
  return own_time(host_now());
}

/* CUPTI */

typedef void call_function(void*, int, uint32_t, const void*);
typedef void give_function(unsigned char**, size_t*, size_t*);
typedef void take_function(void*, uint32_t, unsigned char*, size_t, size_t);
static call_function* on_call;
static give_function* give;
static take_function* take;
static int is_enabled[32], has_domain[3];
static pthread_mutex_t records = PTHREAD_MUTEX_INITIALIZER;
static unsigned char* buffer;
static size_t room, used;

static int number_of(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text ? atoi(text) : otherwise;
}
int cuptiGetVersion(uint32_t* version) {
  return *version = (uint32_t)number_of("STANDIN_VERSION", 28), 0;
}
int cuptiSubscribe(void** subscriber, call_function* function, void* data) {
  *subscriber = &on_call;
  on_call = function;
  return number_of("STANDIN_ERROR", 0);
}
int cuptiUnsubscribe(void* subscriber) {
  return on_call = NULL, 0;
}
int cuptiEnableDomain(uint32_t enable, void* subscriber, int domain) {
  return has_domain[domain] = (int)enable, 0;
}
int cuptiActivityEnable(int kind) {
  return is_enabled[kind] = 1, 0;
}
int cuptiActivityFlushPeriod(uint32_t milliseconds) {
  return 0;
}
int cuptiGetTimestamp(uint64_t* time) {
  return *time = standin_now(), 0;
}
int cuptiActivityRegisterCallbacks(give_function* to_give, take_function* to_take) {
  return give = to_give, take = to_take, 0;
}

static size_t size_of(int kind) {
  return kind == a_kernel ? 208 : kind == a_copy ? 96 : 88;
}
int cuptiActivityGetNextRecord(unsigned char* from, size_t valid, const unsigned char** record) {
  int kind;
  if (*record)
    memcpy(&kind, *record, 4);
  const unsigned char* const next = *record ? *record + size_of(kind) : from;
  if (next >= from + valid)
    return 12;
  *record = next;
  return 0;
}

static void complete(void) {
  if (used > 0)
    take(NULL, 0, buffer, room, used);
  used = room = 0;
}
int cuptiActivityFlushAll(uint32_t flag) {
  pthread_mutex_lock(&records);
  complete();
  pthread_mutex_unlock(&records);
  return 0;
}

static void put(unsigned char* record, size_t at, uint64_t value, size_t size) {
  memcpy(record + at, &value, size);
}
static void add_record(int kind, uint32_t stream, uint32_t correlation, uint64_t start, uint64_t end) {
  if (!is_enabled[kind] || !give)
    return;
  pthread_mutex_lock(&records);
  if (used + size_of(kind) > room) {
    size_t most;
    complete();
    give(&buffer, &room, &most);
  }
  unsigned char* const record = buffer + used;
  memset(record, 0xee, size_of(kind));
  put(record, 0, (uint64_t)kind, 4);
  put(record, 16, start, 8);
  put(record, 24, end, 8);
  put(record, kind == a_kernel ? 44 : 36, 1, 4); /* the context */
  put(record, kind == a_kernel ? 48 : 40, stream, 4);
  put(record, kind == a_kernel ? 92 : 44, correlation, 4);
  used += size_of(kind);
  pthread_mutex_unlock(&records);
}

static void call_back(int domain, uint32_t number, int site, const char* name, const void* arguments, const int* result,
                      uint32_t correlation) {
  unsigned char data[72];
  const uint64_t context = 0x1234;
  if (!on_call || !has_domain[domain])
    return;
  memset(data, 0xee, sizeof data);
  put(data, 0, (uint64_t)site, 4);
  put(data, 8, (uint64_t)name, 8);
  put(data, 16, (uint64_t)arguments, 8);
  put(data, 24, (uint64_t)result, 8);
  put(data, 40, context, 8);
  put(data, 48, 1, 4);
  put(data, 64, correlation, 4);
  on_call(NULL, domain, number, data);
}

/* The driver */

struct event {
  int is_pending;
  uint64_t time; /* of the host's clock, as all below */
};
struct item {
  int kind; /* 0: an event */
  uint32_t correlation;
  uint64_t time; /* that it takes */
  struct event *ends, *awaits;
  uint64_t started; /* by the host */
  struct item* next;
};
static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct stream {
  struct item *first, *last;
  uint64_t free;         /* end of what it has done */
} streams[most_streams]; /* the first one is the default one */
static int stream_count, has_context;
static uint32_t last_correlation = 100;

int cuCtxGetCurrent(void** context) {
  return *context = has_context ? &has_context : NULL, 0;
}
int cuptiGetStreamIdEx(void* context, const void* stream, uint8_t per_thread, uint32_t* number) {
  *number = 7 + (uint32_t)(stream ? (const struct stream*)stream - streams : 0);
  return context != (void*)0x1234;
}

/* The default stream waits for the others. */
static int has_to_wait(const struct stream* stream) {
  for (int i = 1; i < stream_count && stream == streams; ++i)
    if (streams[i].first)
      return 1;
  return stream->first->awaits && stream->first->awaits->is_pending;
}

static uint64_t later(uint64_t one, uint64_t other) {
  return one > other ? one : other;
}

/* When it begins, once it has to wait no more. */
static uint64_t begin_of(const struct item* item, const struct stream* stream) {
  uint64_t begin = later(item->started, stream->free);
  for (int i = 1; i < stream_count && stream == streams; ++i)
    begin = later(begin, streams[i].free);
  return item->awaits ? later(begin, item->awaits->time) : begin;
}

static void* work(void* argument) {
  struct stream* const stream = argument;
  pthread_mutex_lock(&state);
  for (;;) {
    while (!stream->first)
      pthread_cond_wait(&changed, &state);
    while (has_to_wait(stream))
      pthread_cond_wait(&changed, &state);
    struct item* const item = stream->first;
    const uint64_t begin = begin_of(item, stream), end = begin + item->time;
    pthread_mutex_unlock(&state);
    if (item->kind) {
      const struct timespec until = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
      while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {
      }
      add_record(item->kind, (uint32_t)(7 + (stream - streams)), item->correlation, own_time(begin), own_time(end));
    }
    pthread_mutex_lock(&state);
    stream->free = end;
    if (item->ends) {
      item->ends->is_pending = 0;
      item->ends->time = end;
    }
    stream->first = item->next;
    free(item);
    pthread_cond_broadcast(&changed);
  }
  return NULL;
}

static struct stream* make_stream(void) {
  pthread_t thread;
  struct stream* const stream = &streams[stream_count++];
  pthread_create(&thread, NULL, work, stream);
  return stream;
}

/* As the driver does it when it is initialised. */
static void begin(void) {
  const char* const tool = getenv("CUDA_INJECTION64_PATH");
  void* const library = tool && *tool ? dlopen(tool, RTLD_NOW) : NULL;
  int (*inject)(void) = library ? (int (*)(void))dlsym(library, "InitializeInjection") : NULL;
  if (inject)
    inject();
  has_context = 1;
  make_stream();
}
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(struct stream* stream, struct item made) {
  struct item* const item = malloc(sizeof *item);
  *item = made;
  item->next = NULL;
  item->started = host_now();
  stream = stream ? stream : streams;
  pthread_mutex_lock(&state);
  if (stream->first)
    stream->last->next = item;
  else
    stream->first = item;
  stream->last = item;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&state);
}
static void wait_for(struct stream* stream) {
  pthread_mutex_lock(&state);
  while (stream->first)
    pthread_cond_wait(&changed, &state);
  pthread_mutex_unlock(&state);
}

/* The runtime. A call of it calls the driver, which calls back, too. */

#define API(name, number, arguments, ...)                                                                              \
  pthread_once(&once, begin);                                                                                          \
  int result = 0;                                                                                                      \
  const uint32_t correlation = __atomic_add_fetch(&last_correlation, 1, __ATOMIC_RELAXED);                             \
  call_back(runtime_calls, number, 0, "cuda" name, arguments, NULL, correlation);                                      \
  call_back(driver_calls, number, 0, "cu" name, arguments, NULL, correlation);                                         \
  __VA_ARGS__;                                                                                                         \
  call_back(driver_calls, number, 1, "cu" name, arguments, &result, correlation);                                      \
  call_back(runtime_calls, number, 1, "cuda" name, arguments, &result, correlation);                                   \
  return result

struct size {
  unsigned x, y, z;
};
int cudaStreamCreate(struct stream** stream) {
  pthread_once(&once, begin);
  *stream = make_stream();
  return 0;
}
int cudaEventCreate(struct event** event) {
  return *event = calloc(1, sizeof **event), 0;
}
int cudaLaunchKernel(const void* kernel, struct size grid, struct size block, void** arguments, size_t shared,
                     struct stream* stream) {
  API("LaunchKernel", 211, NULL,
      add(stream, (struct item){a_kernel, correlation, *(uint64_t*)arguments[0], NULL, NULL}));
}
int cudaMemcpyAsync(void* to, const void* from, size_t bytes, int kind, struct stream* stream) {
  API("MemcpyAsync", 41, NULL, add(stream, (struct item){a_copy, correlation, bytes, NULL, NULL}));
}
int cudaMemsetAsync(void* to, int value, size_t bytes, struct stream* stream) {
  API("MemsetAsync", 51, NULL, add(stream, (struct item){a_fill, correlation, bytes, NULL, NULL}));
}
int cudaMemcpy(void* to, const void* from, size_t bytes, int kind) {
  API("Memcpy", 31, NULL, add(NULL, (struct item){a_copy, correlation, bytes, NULL, NULL}); wait_for(streams));
}
int cudaDeviceSynchronize(void) {
  API("DeviceSynchronize", 165, NULL, for (int i = 0; i < stream_count; ++i) wait_for(&streams[i]));
}
int cudaStreamSynchronize(struct stream* stream) {
  const void* const arguments[] = {stream};
  API("StreamSynchronize", 131, arguments, wait_for(stream ? stream : streams));
}
int cudaEventRecord(struct event* event, struct stream* stream) {
  const void* const arguments[] = {event, stream};
  API("EventRecord", 135, arguments, event->is_pending = 1; add(stream, (struct item){0, 0, 0, event, NULL}));
}
int cudaStreamWaitEvent(struct stream* stream, struct event* event, unsigned flags) {
  const void* const arguments[] = {stream, event};
  API("StreamWaitEvent", 147, arguments, add(stream, (struct item){0, 0, 0, NULL, event}));
}
int cudaEventQuery(struct event* event) {
  const void* const arguments[] = {event};
  API("EventQuery", 136, arguments, result = event->is_pending ? not_ready : 0);
}
int cudaEventSynchronize(struct event* event) {
  const void* const arguments[] = {event};
  API("EventSynchronize", 137, arguments, pthread_mutex_lock(&state);
      while (event->is_pending) pthread_cond_wait(&changed, &state); pthread_mutex_unlock(&state));
}
