/* Writes what a rank does in MPI to a file of compressed records, which docs/inside/recording-format.md describes. The
   sources are C with GNU extensions, and are compiled against the MPI of the program that is recorded. */
#ifndef KAKEHASHI_RECORD_H
#define KAKEHASHI_RECORD_H

#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* A record holds its kind, the counted work since the last record, the time of the call in ns, the site that calls (not
 * in the first record), and then the fields of its kind. Numbers are varints. */
enum kind {
  k_start,        /* version, rank, ranks, what work is counted in, MPI's name, the program's */
  k_communicator, /* number (0: this rank is no member), parent, group, remote group */
  k_window,       /* number, communicator */
  k_send,         /* request, end, mode */
  k_receive,      /* request, end, mode */
  k_sendreceive,  /* request, end of the send, end of the receive */
  k_complete,     /* number of requests, then for each: request, what it received */
  k_collective,   /* request, communicator, operation, root, bytes, number of ranks, bytes of each */
  k_exchange,     /* request, communicator, sends, receives: a call that consists of messages */
  k_remote,       /* request, window, target, bytes put, bytes got */
  k_synchronise,  /* window, step, number of ranks, ranks */
  k_polled,       /* number of calls that found nothing, their time in ns */
  k_elapsed,      /* no fields: the time is that of the call */
  k_probed,       /* communicator, source, tag */
  k_end,          /* ending, code, call; number of things that are not recorded, then for each: name, calls */
  k_site,         /* object, address in it, symbol, address in that; sites are numbered from 1 on */
  k_region,       /* name of a region of the program that begins; empty: the latest one ends */
  k_device,       /* request to a GPU, its time, context, stream, number */
  k_device_work   /* work of a GPU: kind, context, stream, correlation, start, duration */
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

/* A buffer that grows. */
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

/* The state of the process. Where MPI lets several threads call, they hold `turn` to use it. */
struct recorder {
  struct bytes out;
  uint64_t start;      /* of the recording */
  uint64_t begin, end; /* of the last call */
  uint64_t work;       /* counted since the last record */
  uint64_t (*counter)(void);
  uint64_t polls, polled;
  int was_poll, is_open;
  uint64_t requests; /* number that were begun */
  uint64_t flushed;  /* time of the last flush */
  int rank, ranks;
  int has_threads; /* threads besides the main one may call MPI */
  pthread_mutex_t turn;
  uint64_t beside; /* calls that began while another thread was in one */
};
extern struct recorder me;

/* The state of a thread. Calls that MPI makes inside a call are not recorded. */
struct thread {
  int is_inside;
  int is_first; /* this thread called MPI_Init */
  const char* call;
  const void* site; /* return address of the current call */
  uint64_t begin;   /* of the current call */
  uint64_t gap;     /* counted work before it */
  uint64_t counted; /* the counter at the end of the last call */
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

/* A function of MPI itself. They are looked up, so that a process without MPI can load the recorder, and lie in one
 * section, which so is a table of them. */
struct real {
  const char* name; /* PMPI_… */
  void* address;
  void* wrapper;                /* takes the calls of MPI_… and PMPI_…; NULL: they are not recorded */
} __attribute__((aligned(32))); /* leaves no gaps in the section */
#define KEEP_REAL(name) KEEP_REAL_(name, NULL)
#define KEEP_REAL_(name, wrapper) KEEP_REAL_AS(name, wrapper)
#define KEEP_REAL_AS(name, wrapper)                                                                                    \
  static struct real real_##name __attribute__((section("kakehashi_reals"), used)) = {"PMPI_" #name, NULL, wrapper}
#define REAL(name) REAL_(name)
#define REAL_(name) ((__typeof__(&MPI_##name))real_##name.address)
void* symbol(const char* name); /* Finds a symbol of MPI that has no wrapper; NULL: there is none. */

/* A call is recorded between enter() and resume(). A poll is a call that may find nothing; the time between two polls
 * that follow each other closely is waiting, not work. */
int stand_aside(struct real* real); /* Returns 0: the call is not recorded. */
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
/* Ends the recorder's own work in a call: from here on the program works. */
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

/* Begins a record of the call that has just ended. */
struct bytes* begin_record(enum kind kind);
void end_record(void);

/* Whether MPI is the one that the recorder was compiled for. If not, calls pass the recorder by from now on. */
int is_right_library(void);
void start_recording(void);
void end_recording(enum ending how, int code);
void count_unrecorded(const char* name);

/* GPUs; device.h has more. */
void look_for_devices(int is_last);     /* is called from time to time */
void put_device_work(struct bytes* to); /* writes records of the work that GPUs have done since the last call */
int device_gaps(void);                  /* the number of kinds of calls and work that are not recorded */
void put_device_gaps(struct bytes* to);
void flush_cuda(void);

/* Returns the number of a place in the program that calls; 0: there are too many. is_new: no record has the place yet.
 */
uint64_t number_of_site(const void* address, int* is_new);
void put_site(struct bytes* to, const void* address);
void complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

#endif
