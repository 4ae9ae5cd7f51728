#define _GNU_SOURCE
#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zstd.h>

enum { version = 3, frame_size = 1 << 15, most_unrecorded = 64 };
static const char magic[] = "kakehashi recording\n";

struct recorder me = {.turn = PTHREAD_MUTEX_INITIALIZER};
__thread struct thread own;

static int file = -1;
static uint64_t file_bytes; /* written */

/* The records that are in no frame yet, in a file that stays when the process is killed
 * (docs/inside/recording-format.md). */
struct tail {
  uint64_t place; /* length of the rank's file before these records */
  uint64_t whole; /* bytes of whole records */
  unsigned char records[];
};
static struct tail in_memory; /* is used while there is no such file */
static struct tail* tail = &in_memory;
static int tail_file = -1;
static char tail_name[4096];
static pid_t process;
static ZSTD_CCtx *compressor, *spare; /* a signal's handler uses the spare one while the other works */
static unsigned char* compressed;
static size_t compressed_room;
static volatile sig_atomic_t is_flushing;
static struct {
  const char* name;
  uint64_t calls;
} unrecorded[most_unrecorded];

void complain(const char* format, ...) {
  char text[1000];
  va_list words;
  va_start(words, format);
  vsnprintf(text, sizeof text, format, words);
  va_end(words);
  fprintf(stderr, "kakehashi record: %s\n", text);
}

/* Bytes */

static void drop_tail(void) {
  if (tail_file < 0)
    return;
  unlink(tail_name);
  close(tail_file);
  tail_file = -1;
}

/* The file has its full size from the start, so that a full disk ends no program. */
static int map_tail(size_t room) {
  const size_t size = sizeof(struct tail) + room;
  void* const old = tail == &in_memory ? NULL : tail;
  if (posix_fallocate(tail_file, 0, (off_t)size) != 0)
    return 0;
  void* const made = old ? mremap(old, sizeof(struct tail) + me.out.room, size, MREMAP_MAYMOVE)
                         : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, tail_file, 0);
  if (made == MAP_FAILED)
    return 0;
  tail = made;
  me.out.data = tail->records;
  me.out.room = room;
  return 1;
}

static void make_room_in_tail(size_t room) {
  if (map_tail(room))
    return;
  unsigned char* const data = malloc(room);
  if (!data) {
    complain("rank %d: there is not enough memory", me.rank);
    abort();
  }
  memcpy(data, me.out.data, me.out.size);
  in_memory.place = tail->place;
  in_memory.whole = tail->whole;
  tail = &in_memory;
  me.out.data = data;
  me.out.room = room;
  drop_tail();
}

void make_room(struct bytes* bytes, size_t more) {
  if (bytes->room - bytes->size >= more)
    return;
  const size_t room = 2 * (bytes->size + more);
  if (bytes == &me.out && tail != &in_memory) {
    make_room_in_tail(room);
    return;
  }
  unsigned char* data = realloc(bytes->data, room);
  if (!data) {
    complain("rank %d: there is not enough memory", me.rank);
    abort();
  }
  bytes->data = data;
  bytes->room = room;
}

void put_text(struct bytes* to, const char* text) {
  const size_t length = strlen(text);
  put(to, length);
  make_room(to, length);
  memcpy(to->data + to->size, text, length);
  to->size += length;
}

void put_ranks(struct bytes* to, const int* ranks, int count) {
  int runs = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1)
      put(to, (uint64_t)runs);
    for (int i = 0; i < count;) {
      const int step = i + 1 < count ? ranks[i + 1] - ranks[i] : 1;
      int length = 1;
      while (i + length < count && ranks[i + length] - ranks[i + length - 1] == step)
        ++length;
      if (pass == 0) {
        ++runs;
      } else {
        put_signed(to, ranks[i]);
        put_signed(to, step);
        put(to, (uint64_t)length);
      }
      i += length;
    }
  }
}

/* The file. A frame holds whole records and is written at once. */

static void write_frame(ZSTD_CCtx* with, const unsigned char* data, size_t size) {
  const size_t room = ZSTD_compressBound(size);
  if (room > compressed_room) {
    free(compressed);
    compressed = malloc(room);
    compressed_room = compressed ? room : 0;
    if (!compressed)
      return;
  }
  const size_t length = ZSTD_compress2(with, compressed, compressed_room, data, size);
  size_t done = 0;
  while (!ZSTD_isError(length) && done < length) {
    const ssize_t written = write(file, compressed + done, length - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      complain("rank %d: the recording cannot be written and ends here: %s", me.rank, strerror(errno));
      me.is_open = 0;
      return;
    }
    done += (size_t)written;
  }
  file_bytes += done;
}

/* Whenever the process is killed, each record is either in a frame or in a tail that follows all frames. */
static void flush(void) {
  if (getpid() != process || !me.is_open) /* a child that was forked has no recording */
    return;
  is_flushing = 1;
  write_frame(compressor, me.out.data, me.out.size);
  me.out.size = 0;
  __atomic_store_n(&tail->whole, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&tail->place, file_bytes, __ATOMIC_RELEASE);
  is_flushing = 0;
  look_for_devices(0);
  me.flushed = now();
}

struct bytes* begin_record(enum kind kind) {
  struct bytes* out = &me.out;
  const uint64_t time = me.end - me.begin;
  put_device_work(out);
  int is_new = 0;
  const uint64_t site = own.site ? number_of_site(own.site, &is_new) : 0;
  make_room(out, 256);
  if (is_new) {
    put(out, k_site);
    put(out, 0);
    put(out, 0);
    put(out, 0);
    put_site(out, own.site);
    make_room(out, 256);
    me.end = now(); /* nobody's work */
  }
  if (me.polls > 0) {
    const uint64_t polls = me.polls, polled = me.polled;
    me.polls = me.polled = 0;
    put(out, k_polled);
    put(out, 0);
    put(out, 0);
    put(out, site);
    put(out, polls);
    put(out, polled);
  }
  put(out, kind);
  put(out, me.work);
  put(out, time);
  if (kind != k_start)
    put(out, site);
  me.work = 0;
  return out;
}

void end_record(void) {
  enum { second = 1000000000 };
  __atomic_store_n(&tail->whole, me.out.size, __ATOMIC_RELEASE);
  if (__builtin_expect(me.out.size >= frame_size || me.end - me.flushed > second, 0)) {
    flush();
    me.end = now(); /* nobody's work */
  }
}

static uint64_t processor_time_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}
static uint64_t processor_time(void) {
  return processor_time_of(CLOCK_THREAD_CPUTIME_ID);
}
static uint64_t others_before; /* processor time of other threads before the recording */

/* Calls that are not recorded */

void count_unrecorded(const char* name) {
  for (int i = 0; i < most_unrecorded; ++i) {
    if (!unrecorded[i].name)
      unrecorded[i].name = name;
    if (unrecorded[i].name == name || strcmp(unrecorded[i].name, name) == 0) {
      ++unrecorded[i].calls;
      return;
    }
  }
}

/* OpenMP's threads work beside the one that calls MPI, whose time alone is counted. Returns their time, or 0 if that is
 * little. */
static uint64_t milliseconds_of_others(void) {
  if (me.counter != processor_time)
    return 0;
  const uint64_t seen = processor_time(), others = processor_time_of(CLOCK_PROCESS_CPUTIME_ID) - seen - others_before;
  return others > seen / 10 ? others / 1000000u : 0;
}

static void put_unrecorded(struct bytes* to) {
  const uint64_t others = me.has_threads ? 0 : milliseconds_of_others();
  uint64_t kinds = (me.beside > 0) + (others > 0) + (uint64_t)device_gaps();
  for (int i = 0; i < most_unrecorded && unrecorded[i].name; ++i)
    ++kinds;
  put(to, kinds);
  for (int i = 0; i < most_unrecorded && unrecorded[i].name; ++i) {
    put_text(to, unrecorded[i].name);
    put(to, unrecorded[i].calls);
  }
  if (me.beside > 0) {
    put_text(to, "calls beside those of another thread");
    put(to, me.beside);
  }
  if (others > 0) {
    put_text(to, "milliseconds of processor time of other threads");
    put(to, others);
  }
  put_device_gaps(to);
}

/* Writes the last record. In a signal's handler the current record may be incomplete: it is dropped. */
void end_recording(enum ending how, int code) {
  if (!me.is_open || getpid() != process)
    return;
  if (how == e_finalized) {
    look_for_devices(1);
    flush_cuda();
  }
  if (how == e_finalized || how == e_aborted) {
    put_device_work(&me.out);
    tail->whole = me.out.size;
  }
  ZSTD_CCtx* with = is_flushing ? spare : compressor;
  if (is_flushing && ftruncate(file, (off_t)file_bytes) == 0) /* drops an incomplete frame */
    lseek(file, (off_t)file_bytes, SEEK_SET);
  if (tail->whole > 0 && tail->place == file_bytes)
    write_frame(with, me.out.data, tail->whole);
  static unsigned char room[8192];
  struct bytes last = {room, 0, sizeof room};
  put(&last, k_end);
  put(&last, me.work);
  put(&last, 0);
  put(&last, 0);
  put(&last, (uint64_t)how);
  put_signed(&last, code);
  put_text(&last, own.is_inside && how != e_finalized ? own.call : "");
  put_unrecorded(&last);
  write_frame(with, last.data, last.size);
  me.is_open = 0;
  close(file);
  drop_tail();
}

static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTERM, SIGINT, SIGXCPU};
enum { signal_count = sizeof signals / sizeof *signals, first_request = 5 }; /* from here on a program may go on */
static struct sigaction before[signal_count];

static int has_handler(const struct sigaction* action) {
  return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* Ends the recording, and then lets the signal do what it would have done. */
static void on_signal(int number, siginfo_t* info, void* where) {
  end_recording(e_signalled, number);
  for (int i = 0; i < signal_count; ++i) {
    if (signals[i] != number)
      continue;
    sigaction(number, &before[i], NULL);
    if (before[i].sa_flags & SA_SIGINFO)
      before[i].sa_sigaction(number, info, where);
    else if (has_handler(&before[i]))
      before[i].sa_handler(number);
    else
      raise(number);
  }
}

static void watch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int i = 0; i < signal_count; ++i) {
    sigaction(signals[i], NULL, &before[i]);
    const int is_ignored = !(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_IGN;
    if (!is_ignored && !(i >= first_request && has_handler(&before[i])))
      sigaction(signals[i], &action, NULL);
  }
}

__attribute__((destructor)) static void on_exit_of_process(void) {
  end_recording(e_exited, 0);
}

/* Units in which work is counted */

static __thread int instructions = -1; /* of the thread */
static int open_instructions(void) {
  struct perf_event_attr what;
  memset(&what, 0, sizeof what);
  what.type = PERF_TYPE_HARDWARE;
  what.size = sizeof what;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.exclude_kernel = what.exclude_hv = 1;
  instructions = (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return instructions >= 0;
}
static uint64_t count_of_instructions(void) {
  uint64_t count = 0;
  if (instructions < 0 && !open_instructions())
    return 0;
  return read(instructions, &count, sizeof count) == sizeof count ? count : 0;
}
static enum counting choose_counter(void) {
  const char* wanted = getenv("KAKEHASHI_RECORD_COUNT");
  if (!wanted || !*wanted || strcmp(wanted, "time") == 0)
    return count_time;
  if (strcmp(wanted, "processor-time") == 0) {
    me.counter = processor_time;
    return count_processor_time;
  }
  if (strcmp(wanted, "instructions") != 0) {
    complain("KAKEHASHI_RECORD_COUNT is %s; expected time, processor-time or instructions. Time is recorded", wanted);
    return count_time;
  }
  if (!open_instructions()) {
    if (me.rank == 0)
      complain("this system does not let instructions be counted (%s); time is recorded instead", strerror(errno));
    return count_time;
  }
  me.counter = count_of_instructions;
  return count_instructions;
}

/* The beginning */

extern struct real __start_kakehashi_reals[], __stop_kakehashi_reals[];

/* The recorder itself has no function of this name. */
static const char a_function_of_mpi[] = "PMPI_Get_processor_name";

/* An MPI library that only plug-ins see, as when Python loads it: a search of all libraries does not find it. */
static void* local_mpi;

enum { most_objects = 10000 };
struct objects {
  char* names[most_objects];
  int count;
};
static int keep_name(struct dl_phdr_info* object, size_t size, void* to) {
  struct objects* const objects = to;
  if (object->dlpi_name && *object->dlpi_name && objects->count < most_objects)
    objects->names[objects->count++] = strdup(object->dlpi_name);
  return 0;
}

static void find_local_mpi(void) {
  struct objects* const loaded = calloc(1, sizeof *loaded);
  if (!loaded)
    return;
  dl_iterate_phdr(keep_name, loaded); /* holds a lock that dlopen takes, too, so that follows later */
  for (int i = 0; i < loaded->count; ++i) {
    void* const object =
        local_mpi || !loaded->names[i] ? NULL : dlopen(loaded->names[i], RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
    if (object && dlsym(object, a_function_of_mpi))
      local_mpi = object;
    else if (object)
      dlclose(object);
    free(loaded->names[i]);
  }
  free(loaded);
}

void* symbol(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name); /* a program may have copies of MPI's data */
  return !found && local_mpi ? dlsym(local_mpi, name) : found;
}

static void load_reals(void) {
  for (struct real* real = __start_kakehashi_reals; real != __stop_kakehashi_reals; ++real) {
    real->address = dlsym(RTLD_NEXT, real->name);
    if (!real->address && local_mpi)
      real->address = dlsym(local_mpi, real->name);
  }
}

__attribute__((constructor)) static void on_load(void) {
  if (dlsym(RTLD_NEXT, a_function_of_mpi)) /* there is MPI in this process */
    load_reals();
}

/* Replaces a function that the process does not have. */
static int fail(void) {
  return MPI_ERR_OTHER;
}

int stand_aside(struct real* real) {
  if (!real->address) {
    if (!local_mpi)
      find_local_mpi();
    load_reals();
  }
  if (!real->address) {
    complain("%s calls MPI_%s, but no MPI is loaded that has it; the call fails, and nothing is recorded",
             program_invocation_short_name, real->name + strlen("PMPI_"));
    real->address = (void*)fail;
  }
  return 0;
}

/* Handles are numbers in some libraries and addresses in others, so the recorder knows those of one only. */
int is_right_library(void) {
  const int is_open_mpi = symbol("ompi_mpi_comm_world") != NULL;
#ifdef OPEN_MPI
  const int is_right = is_open_mpi;
#else
  const int is_right = !is_open_mpi;
#endif
  if (is_right)
    return 1;
  for (struct real* real = __start_kakehashi_reals; real != __stop_kakehashi_reals; ++real)
    if (real->address)
      real->wrapper = real->address;
  const char* folder = getenv("KAKEHASHI_RECORD");
  if (folder && *folder)
    complain("%s uses another MPI than the recorder was built with, and is not recorded; choose its mpicc with --mpicc",
             program_invocation_short_name);
  return 0;
}

static int open_file(const char* folder) {
  char name[4096];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    complain("%s: the folder cannot be made: %s", folder, strerror(errno));
    return 0;
  }
  if ((size_t)snprintf(name, sizeof name, "%s/%d.rank", folder, me.rank) >= sizeof name)
    return 0;
  file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno == EEXIST) {
    if (me.rank == 0)
      complain("%s has a recording; this run of %d ranks is not recorded", folder, me.ranks);
  } else if (file < 0) {
    complain("%s: cannot be written: %s", name, strerror(errno));
  }
  return file >= 0;
}

/* Without it the records since the last frame are lost when the process is killed. */
static void open_tail(const char* folder) {
  if ((size_t)snprintf(tail_name, sizeof tail_name, "%s/%d.tail", folder, me.rank) >= sizeof tail_name)
    return;
  tail_file = open(tail_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (tail_file >= 0 && !map_tail(2 * frame_size))
    drop_tail();
}

static ZSTD_CCtx* new_compressor(void) {
  ZSTD_CCtx* made = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(made, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(made, ZSTD_c_checksumFlag, 1);
  return made;
}

static void write_start(enum counting counting) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  int (*version_of)(char*, int*) = symbol("PMPI_Get_library_version");
  if (version_of)
    version_of(library, &length);
  library[strcspn(library, "\n,")] = '\0';
  for (char* at = library; *at; ++at)
    *at = *at == '\t' ? ' ' : *at;
  struct bytes* out = begin_record(k_start);
  put(out, version);
  put(out, (uint64_t)me.rank);
  put(out, (uint64_t)me.ranks);
  put(out, counting);
  put_text(out, library);
  put_text(out, program_invocation_short_name);
  end_record();
}

/* After MPI_Init, in the thread that called it. */
void start_recording(void) {
  const char* folder = getenv("KAKEHASHI_RECORD");
  if (!folder || !*folder)
    return;
  if (!open_file(folder))
    return;
  process = getpid();
  open_tail(folder);
  make_room(&me.out, 2 * frame_size);
  compressed_room = ZSTD_compressBound(4 * frame_size);
  compressed = malloc(compressed_room);
  compressor = new_compressor();
  spare = new_compressor();
  unsigned char scrap[256]; /* so that a handler finds all memory taken */
  ZSTD_compress2(spare, scrap, sizeof scrap, "", 1);
  if (write(file, magic, sizeof magic - 1) != sizeof magic - 1) {
    complain("rank %d: the recording cannot be written: %s", me.rank, strerror(errno));
    drop_tail();
    return;
  }
  tail->place = file_bytes = sizeof magic - 1;
  me.is_open = own.is_first = 1;
  const enum counting counting = choose_counter();
  me.start = me.begin = me.end = me.flushed = now();
  write_start(counting);
  flush();
  me.end = now();
  watch_signals();
  others_before = processor_time_of(CLOCK_PROCESS_CPUTIME_ID) - processor_time();
  if (me.counter)
    own.counted = me.counter();
}
