/* Records of what GPUs do for the rank: the interface through which the code for each profiler's library writes them.
 */
#ifndef KAKEHASHI_DEVICE_H
#define KAKEHASHI_DEVICE_H

#include "record.h"

/* A call by which the program uses a device, or waits for it. */
enum device_call {
  d_start,      /* starts work, which has a correlation */
  d_start_wait, /* starts work and waits for its end */
  d_stream,     /* waits for all work of a stream */
  d_context,    /* waits for all work */
  d_event,      /* waits for an event */
  d_mark,       /* makes the end of all work so far of a stream an event */
  d_order       /* lets all further work of a stream wait for an event */
};
struct device_place {
  uint64_t context, stream, number; /* a correlation, or an event */
};

/* Records a call that does not wait; to be called at its beginning. */
void device_call(enum device_call call, const char* name, struct device_place place);
/* Record a call that waits: to be called around it, the second only if the first did not return 0. is_poll: the call
 * may find that there is still work. */
int begin_device_wait(const char* name);
void end_device_wait(enum device_call call, struct device_place place, int is_poll, int found_work);

/* Work that a device has done. Times are those of now(). */
struct device_work {
  int kind; /* 0 kernel, 1 copy, 2 fill */
  uint64_t context, stream, correlation, start, end;
};
void device_did(const struct device_work* work); /* Any thread may call it. */

/* Keeps the reason why GPUs cannot be watched; the first one counts. */
void device_is_unseen(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* The code for NVIDIA's library: the first begins to watch if the process uses its devices, the second records the work
 * that the library still holds. */
void watch_cuda(void);
void flush_cuda(void);

#endif
