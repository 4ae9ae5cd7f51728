/* NVIDIA's GPUs, by CUPTI, which is loaded if the process uses CUDA. Its header is not needed: the parts of its
 * binary interface that are used here are the same in CUDA 11.0 to 12.9 (versions 13 to 28 of CUPTI). Other versions
 * are refused. */
#define _GNU_SOURCE
#include "device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { oldest = 13, newest = 28 };
enum { driver_calls = 1, runtime_calls = 2, domain_count = 3 };
enum { at_entry, at_exit };
enum { a_copy = 1, a_fill = 2, a_kernel = 3, a_concurrent_kernel = 10, a_peer_copy = 22 };

struct call { /* the first fields of a callback's argument */
  int site;
  const char* name;
  const void* const* arguments; /* one after the other */
  const int* result;
  const char* symbol;
  void* context;
  uint32_t context_number;
  uint64_t* data;
  uint32_t correlation;
};
_Static_assert(offsetof(struct call, name) == 8 && offsetof(struct call, context) == 40 &&
                   offsetof(struct call, context_number) == 48 && offsetof(struct call, correlation) == 64,
               "as CUPTI has it");

/* Offsets of the fields in records of a device's work. */
struct layout {
  size_t start, end, context, stream, correlation;
};
static const struct layout of_kernel = {16, 24, 44, 48, 92}, of_copy = {16, 24, 36, 40, 44},
                           of_peer_copy = {16, 24, 36, 40, 60};

static void* subscriber;
static struct {
  int (*GetVersion)(uint32_t*);
  int (*Subscribe)(void**, void (*)(void*, int, uint32_t, const struct call*), void*);
  int (*Unsubscribe)(void*);
  int (*EnableDomain)(uint32_t, void*, int);
  int (*ActivityRegisterCallbacks)(void (*)(unsigned char**, size_t*, size_t*),
                                   void (*)(void*, uint32_t, unsigned char*, size_t, size_t));
  int (*ActivityEnable)(int);
  int (*ActivityGetNextRecord)(unsigned char*, size_t, const unsigned char**);
  int (*ActivityFlushAll)(uint32_t);
  int (*GetTimestamp)(uint64_t*);
  int (*GetStreamIdEx)(void*, const void*, uint8_t, uint32_t*);
} cupti;

/* Calls */

enum sort {
  c_unknown,
  c_other,
  c_start,
  c_copy,
  c_stream,
  c_stream_poll,
  c_context,
  c_event,
  c_event_poll,
  c_mark,
  c_order,
  c_graph
};
static int begins(const char* name, const char* with) {
  return strncmp(name, with, strlen(with)) == 0;
}
static enum sort sort_of(const char* name) {
  static const struct {
    const char* begin;
    enum sort sort;
  } sorts[] = {{"DeviceSynchronize", c_context},
               {"ThreadSynchronize", c_context},
               {"CtxSynchronize", c_context},
               {"StreamSynchronize", c_stream},
               {"StreamQuery", c_stream_poll},
               {"StreamWaitEvent", c_order},
               {"EventSynchronize", c_event},
               {"EventQuery", c_event_poll},
               {"EventRecord", c_mark},
               {"GraphLaunch", c_graph},
               {"LaunchHostFunc", c_other},
               {"Launch", c_start},
               {"Memset", c_start},
               {"Memcpy", c_copy}};
  name += begins(name, "cuda") ? 4 : 2;
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; ++i)
    if (begins(name, sorts[i].begin))
      return sorts[i].sort == c_copy && strstr(name, "Async") ? c_start : sorts[i].sort;
  return c_other;
}
static enum sort known_sort_of(int domain, uint32_t number, const char* name) {
  enum { most = 2048 };
  static unsigned char known[domain_count][most];
  if (number >= most)
    return sort_of(name);
  if (known[domain][number] == c_unknown)
    known[domain][number] = (unsigned char)sort_of(name);
  return known[domain][number];
}

static uint64_t stream_of(const struct call* call, const void* handle) {
  uint32_t number = UINT32_MAX; /* no stream has it */
  cupti.GetStreamIdEx(call->context, handle, strstr(call->name, "_pt") != NULL, &number);
  return number;
}

/* A call of the runtime makes calls of the driver, which the program did not make. */
static __thread struct {
  int depth;
  int waits;
} calls;

static void on_entry(enum sort sort, const struct call* call) {
  struct device_place place = {call->context_number, 0, call->correlation};
  switch (sort) {
  case c_start: device_call(d_start, call->name, place); break;
  case c_mark:
    place.stream = stream_of(call, call->arguments[1]);
    place.number = (uint64_t)call->arguments[0];
    device_call(d_mark, call->name, place);
    break;
  case c_order:
    place.stream = stream_of(call, call->arguments[0]);
    place.number = (uint64_t)call->arguments[1];
    device_call(d_order, call->name, place);
    break;
  case c_graph:
    if (is_recording() && own.is_first)
      count_unrecorded("graphs of CUDA that are launched");
    break;
  default: calls.waits = begin_device_wait(call->name);
  }
}

static void on_exit_of(enum sort sort, const struct call* call) {
  struct device_place place = {call->context_number, 0, call->correlation};
  const int is_poll = sort == c_stream_poll || sort == c_event_poll, failed = call->result && *call->result != 0;
  if (!calls.waits)
    return;
  calls.waits = 0;
  if (sort == c_copy) {
    end_device_wait(d_start_wait, place, 0, 0);
  } else if (sort == c_stream || sort == c_stream_poll) {
    place.stream = stream_of(call, call->arguments[0]);
    end_device_wait(d_stream, place, is_poll, is_poll && failed);
  } else if (sort == c_event || sort == c_event_poll) {
    place.number = (uint64_t)call->arguments[0];
    end_device_wait(d_event, place, is_poll, is_poll && failed);
  } else {
    end_device_wait(d_context, place, 0, 0);
  }
}

static void on_call(void* none, int domain, uint32_t number, const struct call* call) {
  if ((domain != driver_calls && domain != runtime_calls) || !call->name)
    return;
  const int outer = call->site == at_entry ? calls.depth++ : calls.depth > 0 ? --calls.depth : 1;
  const enum sort sort = outer == 0 ? known_sort_of(domain, number, call->name) : c_other;
  if (sort == c_other)
    return;
  if (call->site == at_entry)
    on_entry(sort, call);
  else
    on_exit_of(sort, call);
}

/* Work */

struct clock_pair {
  uint64_t theirs, ours;
};
static struct clock_pair first_pair;

static struct clock_pair read_clocks(void) {
  struct clock_pair best = {0, 0};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    uint64_t theirs = 0;
    const uint64_t before = now();
    if (cupti.GetTimestamp(&theirs) != 0)
      break;
    const uint64_t took = now() - before;
    if (took < least) {
      least = took;
      best = (struct clock_pair){theirs, before + took / 2};
    }
  }
  return best;
}

/* Converts a time to the host's clock, along the line through the first pair of times and the last one. */
static uint64_t to_ours(uint64_t theirs, struct clock_pair last) {
  enum { least = 1000000 }; /* ns */
  const double rate = last.theirs > first_pair.theirs + least
                          ? (double)(last.ours - first_pair.ours) / (double)(last.theirs - first_pair.theirs)
                          : 1;
  return last.ours + (uint64_t)(int64_t)(rate * (double)(int64_t)(theirs - last.theirs));
}

static void give_buffer(unsigned char** buffer, size_t* size, size_t* most_records) {
  enum { bytes = 1 << 18 };
  *buffer = malloc(bytes);
  *size = *buffer ? bytes : 0;
  *most_records = 0; /* as many as fit */
}

static uint32_t number_at(const unsigned char* record, size_t at) {
  uint32_t number;
  memcpy(&number, record + at, sizeof number);
  return number;
}
static uint64_t time_at(const unsigned char* record, size_t at) {
  uint64_t time;
  memcpy(&time, record + at, sizeof time);
  return time;
}

static void take_buffer(void* context, uint32_t stream, unsigned char* buffer, size_t size, size_t used) {
  const struct clock_pair last = read_clocks();
  const unsigned char* record = NULL;
  while (used > 0 && cupti.ActivityGetNextRecord(buffer, used, &record) == 0) {
    const uint32_t kind = number_at(record, 0);
    const int is_kernel = kind == a_kernel || kind == a_concurrent_kernel;
    if (!is_kernel && kind != a_copy && kind != a_fill && kind != a_peer_copy)
      continue;
    const struct layout* const at = is_kernel ? &of_kernel : kind == a_peer_copy ? &of_peer_copy : &of_copy;
    const uint64_t start = time_at(record, at->start), end = time_at(record, at->end);
    if (start == 0 || end < start) /* the work has not ended yet */
      continue;
    const struct device_work work = {
        is_kernel ? 0 : kind == a_fill ? 2 : 1, number_at(record, at->context), number_at(record, at->stream),
        number_at(record, at->correlation),     to_ours(start, last),           to_ours(end, last)};
    device_did(&work);
  }
  free(buffer);
}

/* The beginning and the end */

static void* find_library(void) {
  static const char* const names[] = {"libcupti.so.12", "libcupti.so.11.8", "libcupti.so.11.7", "libcupti.so"};
  static const char* const homes[] = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"};
  const char* const stated = getenv("KAKEHASHI_CUPTI");
  if (stated && *stated)
    return dlopen(stated, RTLD_LAZY | RTLD_LOCAL);
  void* library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; ++i)
    library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
  for (size_t i = 0; !library && i <= sizeof homes / sizeof *homes; ++i) {
    char path[4096];
    const char* const home = i < sizeof homes / sizeof *homes ? getenv(homes[i]) : "/usr/local/cuda";
    if (home && (size_t)snprintf(path, sizeof path, "%s/extras/CUPTI/lib64/libcupti.so", home) < sizeof path)
      library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  }
  return library;
}

static int find_functions(void* library) {
  return (cupti.GetVersion = dlsym(library, "cuptiGetVersion")) &&
         (cupti.Subscribe = dlsym(library, "cuptiSubscribe")) &&
         (cupti.Unsubscribe = dlsym(library, "cuptiUnsubscribe")) &&
         (cupti.EnableDomain = dlsym(library, "cuptiEnableDomain")) &&
         (cupti.ActivityRegisterCallbacks = dlsym(library, "cuptiActivityRegisterCallbacks")) &&
         (cupti.ActivityEnable = dlsym(library, "cuptiActivityEnable")) &&
         (cupti.ActivityGetNextRecord = dlsym(library, "cuptiActivityGetNextRecord")) &&
         (cupti.ActivityFlushAll = dlsym(library, "cuptiActivityFlushAll")) &&
         (cupti.GetTimestamp = dlsym(library, "cuptiGetTimestamp")) &&
         (cupti.GetStreamIdEx = dlsym(library, "cuptiGetStreamIdEx"));
}

/* Returns 0, or the error of the first step that fails. */
static int subscribe(void) {
  static const int kinds[] = {a_concurrent_kernel, a_copy, a_fill, a_peer_copy};
  int error = cupti.Subscribe(&subscriber, on_call, NULL);
  if (error)
    return error;
  error = cupti.ActivityRegisterCallbacks(give_buffer, take_buffer);
  for (size_t i = 0; !error && i < sizeof kinds / sizeof *kinds; ++i)
    error = cupti.ActivityEnable(kinds[i]);
  first_pair = read_clocks();
  if (!error)
    error = cupti.EnableDomain(1, subscriber, runtime_calls);
  if (!error)
    error = cupti.EnableDomain(1, subscriber, driver_calls);
  if (error) {
    cupti.Unsubscribe(subscriber);
    subscriber = NULL;
  }
  return error;
}

static void begin_to_watch(void) {
  uint32_t version = 0;
  void* const library = find_library();
  if (!library) {
    const char* const error = dlerror();
    device_is_unseen("CUPTI cannot be loaded; KAKEHASHI_CUPTI may name its library (%s)", error ? error : "");
  } else if (!find_functions(library)) {
    device_is_unseen("CUPTI lacks a function: %s", dlerror());
  } else if (cupti.GetVersion(&version) != 0 || version < oldest || version > newest) {
    device_is_unseen("version %u of CUPTI is not known; %d to %d are, of CUDA 11.0 to 12.9", version, oldest, newest);
  } else {
    const int error = subscribe();
    int (*period)(uint32_t) = dlsym(library, "cuptiActivityFlushPeriod");
    if (error)
      device_is_unseen(error == 39 ? "another profiler uses CUPTI" : "CUPTI returns error %d", error);
    else if (period)
      period(1000); /* ms */
  }
}

void watch_cuda(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin_to_watch);
}

void flush_cuda(void) {
  enum { forced = 1 };
  if (subscriber)
    cupti.ActivityFlushAll(forced);
}

/* CUDA's driver calls this when it is initialised, before any work, if CUDA_INJECTION64_PATH names this library. */
int InitializeInjection(void) {
  const char* folder = getenv("KAKEHASHI_RECORD");
  if (folder && *folder)
    watch_cuda();
  return 1;
}
