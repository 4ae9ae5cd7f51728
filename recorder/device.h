/* What a GPU does for the rank, as the library of its profiler has it: one face for all of these. */
#ifndef KAKEHASHI_DEVICE_H
#define KAKEHASHI_DEVICE_H

#include "record.h"

/* What the program asks of a device, and how long it waits. */
enum device_call {
  d_start,      /* work, by its correlation */
  d_start_wait, /* the same, and waits for its end */
  d_stream,     /* waits for all work of a stream */
  d_context,    /* waits for all work */
  d_event,      /* waits for an event */
  d_mark,       /* work of a stream that has been started so far is an event from now on */
  d_order       /* what a stream gets from now on waits for an event */
};
struct device_place {
  uint64_t context, stream, number; /* a correlation, or an event */
};

/* Of a call that does not wait, at its beginning. */
void device_call(enum device_call call, const char* name, struct device_place place);
/* Around a call that waits. 0: it is not recorded, and has no end. is_poll: it may find that there is still work. */
int begin_device_wait(const char* name);
void end_device_wait(enum device_call call, struct device_place place, int is_poll, int found_work);

/* A device has done something; of any thread. Times are those of now(). */
struct device_work {
  int kind; /* 0 kernel, 1 copy, 2 fill */
  uint64_t context, stream, correlation, start, end;
};
void device_did(const struct device_work* work);

/* GPUs cannot be watched; once, and the first reason counts. */
void device_is_unseen(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* Of a profiler's library: begins to watch, if the process uses its devices; brings what it still has. */
void watch_cuda(void);
void flush_cuda(void);

#endif
