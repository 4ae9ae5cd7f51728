/* What a rank does in MPI → a file of compressed records; docs/recording-format.md describes it. The sources are C with
   GNU extensions, and compiled against the MPI of the program that is recorded. */
#ifndef KAKEHASHI_RECORD_H
#define KAKEHASHI_RECORD_H

#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* Records: kind, counted work since the last one, time of the call in ns, the site that calls (not in the first one), then
 * what the kind has. Numbers are varints. */
enum kind {
  k_start,        /* version, rank, ranks, what work is counted in, MPI's name, the program's */
  k_communicator, /* number, parent, group, remote group; a number of 0: this rank is no member */
  k_window,       /* number, communicator */
  k_send,         /* request, end, mode */
  k_receive,      /* request, end, mode */
  k_sendreceive,  /* request, end of the send, end of the receive */
  k_complete,     /* how many, then each: request, what it received */
  k_collective,   /* request, communicator, operation, root, bytes, how many, bytes of each */
  k_exchange,     /* request, communicator, sends, receives: calls that are no more than messages */
  k_remote,       /* request, window, target, bytes put, bytes got */
  k_synchronise,  /* window, how, how many, ranks */
  k_polled,       /* calls that found nothing, their time in ns */
  k_elapsed,      /* nothing: the time is that of the call */
  k_probed,       /* communicator, source, tag */
  k_end,          /* how it ended, in what call, what is not recorded: how many, then each: name, calls */
  k_site,         /* object, address in it, symbol, address in that: the next number of a site, from 1 on */
  k_region,       /* name of a region of the program that begins; none: the last one that has begun ends */
  k_device,       /* what is asked of a GPU, when, context, stream, number */
  k_device_work   /* what a GPU did: kind, context, stream, correlation, start, how long it took */
};
enum counting { count_time, count_processor_time, count_instructions };
enum send_mode { m_standard, m_buffered, m_synchronous, m_ready, m_partitioned };
enum synchronisation { s_fence, s_flush, s_post, s_start, s_complete, s_wait, s_free };
enum ending { e_finalized, e_exited, e_aborted, e_signalled };
enum operation {
  o_barrier,
  o_bcast,
  o_reduce,
  o_allreduce,
  o_gather,
  o_gatherv,
  o_scatter,
  o_scatterv,
  o_allgather,
  o_allgatherv,
  o_alltoall,
  o_alltoallv,
  o_reduce_scatter,
  o_scan,
  o_exscan
};

/* A row of bytes that grows. */
struct bytes {
  unsigned char* data;
  size_t size, room;
};
void make_room(struct bytes* bytes, size_t more);
static inline void put(struct bytes* to, uint64_t value) {
  if (__builtin_expect(to->room - to->size < 10, 0))
    make_room(to, 10);
  while (value >= 128) {
    to->data[to->size++] = (unsigned char)(value | 128);
    value >>= 7;
  }
  to->data[to->size++] = (unsigned char)value;
}
static inline void put_signed(struct bytes* to, int64_t value) {
  put(to, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}
void put_text(struct bytes* to, const char* text);
void put_ranks(struct bytes* to, const int* ranks, int count); /* as runs: first, step, length */

/* What this process knows of itself. Threads take turns at it where MPI lets several call. */
struct recorder {
  struct bytes out;
  uint64_t start;      /* of the recording */
  uint64_t begin, end; /* of the last call */
  uint64_t work;       /* since the last record */
  uint64_t (*counter)(void);
  uint64_t polls, polled;
  int was_poll, is_open;
  uint64_t requests; /* that were begun */
  uint64_t flushed;  /* when */
  int rank, ranks;
  int has_threads; /* that may call MPI, besides the main one */
  pthread_mutex_t turn;
  uint64_t beside; /* calls that began while another thread was in one */
};
extern struct recorder me;

/* What a thread knows of itself. What MPI calls inside a call is not recorded. */
struct thread {
  int is_inside;
  int is_first; /* it called MPI_Init */
  const char* call;
  const void* site; /* where it returns to */
  uint64_t begin;   /* of the call at hand */
  uint64_t gap;     /* counted work before it */
  uint64_t counted; /* by the counter, at the end of the last call */
};
extern __thread struct thread own __attribute__((tls_model("initial-exec")));
static inline int is_recording(void) {
  return me.is_open && !own.is_inside;
}

static inline uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* MPI's own functions. They are looked up, so that a process without MPI can load this, and in a table of all in one
 * section. */
struct real {
  const char* name; /* PMPI_… */
  void* address;
  void* wrapper;                /* that calls of MPI_… and PMPI_… go to; NULL: none, they are not recorded */
} __attribute__((aligned(32))); /* so that a section of them is a table */
#define KEEP_REAL(name) KEEP_REAL_(name, NULL)
#define KEEP_REAL_(name, wrapper) KEEP_REAL_AS(name, wrapper)
#define KEEP_REAL_AS(name, wrapper)                                                                                    \
  static struct real real_##name __attribute__((section("kakehashi_reals"), used)) = {"PMPI_" #name, NULL, wrapper}
#define REAL(name) REAL_(name)
#define REAL_(name) ((__typeof__(&MPI_##name))real_##name.address)
void* symbol(const char* name); /* of MPI, which the recorder has no wrapper for; NULL: there is none */

/* Around each call. What lies between two polls that follow closely is waiting, no work; a poll is a call that may find
 * nothing. */
int stand_aside(struct real* real); /* always 0: the call is not recorded */
static inline int enter(const char* name, struct real* real, const void* site) {
  if (__builtin_expect(!is_recording(), 0))
    return stand_aside(real);
  own.is_inside = 1;
  own.call = name;
  own.site = site;
  own.begin = now();
  if (__builtin_expect(me.counter != NULL, 0))
    own.gap = me.counter() - own.counted;
  return 1;
}
static inline void leave(int is_poll) {
  const uint64_t close_by = me.counter ? 3000 : 1000; /* ns; a counter takes its time */
  if (__builtin_expect(me.has_threads, 0))
    pthread_mutex_lock(&me.turn);
  const int is_beside = own.begin < me.end;
  const uint64_t gap = is_beside ? 0 : own.begin - me.end;
  me.beside += is_beside;
  if (!(is_poll && me.was_poll && gap < close_by))
    me.work += me.counter ? own.gap : gap;
  me.begin = own.begin;
  me.end = now();
  me.was_poll = 0;
}
/* What follows is the program's own. */
static inline void resume(void) {
  if (__builtin_expect(me.counter != NULL, 0))
    own.counted = me.counter();
  own.is_inside = 0;
  if (__builtin_expect(me.has_threads, 0))
    pthread_mutex_unlock(&me.turn);
}
static inline void found_nothing(void) {
  ++me.polls;
  me.polled += me.end - me.begin;
  me.was_poll = 1;
}

/* A record of the call that has just ended. */
struct bytes* begin_record(enum kind kind);
void end_record(void);

int is_right_library(void); /* the one that this was compiled for; else calls go around the recorder from now on */
void start_recording(void);
void end_recording(enum ending how, int code);
void count_unrecorded(const char* name);

/* GPUs; device.h has more. */
void look_for_devices(int is_last);     /* from time to time */
void put_device_work(struct bytes* to); /* records of what they have done meanwhile */
int device_gaps(void);                  /* kinds of what is not recorded of them */
void put_device_gaps(struct bytes* to);
void flush_cuda(void);

/* The number of a place in the program that calls; 0: there are too many. is_new: it is not in a record yet. */
uint64_t number_of_site(const void* address, int* is_new);
void put_site(struct bytes* to, const void* address);
void complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif
