#define _GNU_SOURCE
#include "device.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t aside; /* calls of threads other than the one that called MPI_Init */

static int may_record(void) {
  if (!me.is_open || own.is_inside) /* calls that MPI makes are not recorded */
    return 0;
  if (!own.is_first)
    __atomic_add_fetch(&aside, 1, __ATOMIC_RELAXED);
  return own.is_first;
}

static void record(enum device_call call, struct device_place place) {
  const uint64_t at = own.begin > me.start ? own.begin - me.start : 0;
  struct bytes* out = begin_record(k_device);
  put(out, call);
  put(out, at);
  put(out, place.context);
  put(out, place.stream);
  put(out, place.number);
  end_record();
}

void device_call(enum device_call call, const char* name, struct device_place place) {
  if (!begin_device_wait(name))
    return;
  leave(0);
  me.end = me.begin; /* the call's own time is the host's work */
  record(call, place);
  resume();
}

int begin_device_wait(const char* name) {
  return may_record() && enter(name, NULL, NULL);
}

void end_device_wait(enum device_call call, struct device_place place, int is_poll, int found_work) {
  leave(is_poll);
  if (found_work)
    found_nothing();
  else
    record(call, place);
  resume();
}

/* Work of devices is reported late and in other threads. It waits here for the next record. */

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static struct device_work* done;
static size_t done_count, done_room;
static uint64_t lost;

void device_did(const struct device_work* work) {
  if (!me.is_open)
    return;
  pthread_mutex_lock(&turn);
  if (done_count == done_room) {
    const size_t room = 2 * done_room + 1024;
    struct device_work* const more = realloc(done, room * sizeof *done);
    if (more) {
      done = more;
      done_room = room;
    }
  }
  if (done_count < done_room)
    done[done_count++] = *work;
  else
    ++lost;
  pthread_mutex_unlock(&turn);
}

void put_device_work(struct bytes* to) {
  if (__builtin_expect(__atomic_load_n(&done_count, __ATOMIC_RELAXED) == 0, 1))
    return;
  pthread_mutex_lock(&turn);
  for (size_t i = 0; i < done_count; ++i) {
    const struct device_work* const work = &done[i];
    const uint64_t start = work->start > me.start ? work->start - me.start : 0;
    make_room(to, 256);
    put(to, k_device_work);
    put(to, 0);
    put(to, 0);
    put(to, 0);
    put(to, (uint64_t)work->kind);
    put(to, work->context);
    put(to, work->stream);
    put(to, work->correlation);
    put(to, start);
    put(to, work->end > work->start ? work->end - work->start : 0);
  }
  done_count = 0;
  pthread_mutex_unlock(&turn);
  me.end = now(); /* nobody's work */
}

/* Work that cannot be recorded */

static char reason[400];

void device_is_unseen(const char* format, ...) {
  if (reason[0])
    return;
  va_list words;
  va_start(words, format);
  vsnprintf(reason, sizeof reason, format, words);
  va_end(words);
}

static int is_loaded(const char* name) {
  void* const library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (library)
    dlclose(library);
  return library != NULL;
}

/* MPI may load NVIDIA's driver, too; the program uses the driver if it has a context. */
static int uses_cuda(void) {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  int (*current)(void**) = driver ? (int (*)(void**))dlsym(driver, "cuCtxGetCurrent") : NULL;
  void* context = NULL;
  const int uses = current && current(&context) == 0 && context;
  if (driver)
    dlclose(driver);
  return uses;
}

static int uses_hip(void) {
  return is_loaded("libamdhip64.so.7") || is_loaded("libamdhip64.so.6") || is_loaded("libamdhip64.so.5") ||
         is_loaded("libamdhip64.so");
}

enum { second = 1000000000 };
static const char* gap; /* what the recording lacks */
static char gap_text[sizeof reason + 20];

void look_for_devices(int is_last) {
  static uint64_t looked;
  if (gap || (!is_last && looked > 0 && now() - looked < second))
    return;
  looked = now();
  if (is_loaded("libcuda.so.1"))
    watch_cuda();
  if (reason[0] ? !uses_cuda() : !uses_hip())
    return;
  if (!reason[0])
    device_is_unseen("the recorder does not know HIP");
  snprintf(gap_text, sizeof gap_text, "work of GPUs: %s", reason);
  gap = gap_text;
  if (me.rank == 0)
    complain("%s uses a GPU, whose work is not recorded: %s", program_invocation_short_name, reason);
}

static uint64_t aside_at_end; /* a copy, since other threads may go on */
int device_gaps(void) {
  aside_at_end = __atomic_load_n(&aside, __ATOMIC_RELAXED);
  return (gap != NULL) + (aside_at_end > 0) + (lost > 0);
}

void put_device_gaps(struct bytes* to) {
  if (gap) {
    put_text(to, gap);
    put(to, 1);
  }
  if (aside_at_end > 0) {
    put_text(to, "calls of CUDA by other threads than the one that began MPI");
    put(to, aside_at_end);
  }
  if (lost > 0) {
    put_text(to, "work of GPUs for which there was no memory");
    put(to, lost);
  }
}
