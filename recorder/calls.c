/* The wrappers of all calls that are recorded. */
#define _GNU_SOURCE
#include "describe.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/uio.h>
#include <unistd.h>

KEEP_REAL(Group_size);
KEEP_REAL(Group_translate_ranks);
KEEP_REAL(Comm_group);

/* Messages */

static void record_send(uint64_t request, struct comm* comm, int to, int tag, uint64_t bytes, enum send_mode mode) {
  struct bytes* out = begin_record(k_send);
  put(out, request);
  put_end(out, comm, to, tag, bytes);
  put(out, mode);
  end_record();
}

static void record_receive(uint64_t request, struct comm* comm, int from, int tag, uint64_t most) {
  struct bytes* out = begin_record(k_receive);
  put(out, request);
  put_end(out, comm, from, tag, most);
  put(out, m_standard);
  end_record();
}

/* Writes what a blocking receive got. */
static void put_got(struct bytes* out, struct comm* comm, int from, const MPI_Status* status) {
  if (from == MPI_PROC_NULL)
    put_end(out, comm, MPI_PROC_NULL, 0, 0);
  else
    put_received(out, comm, status);
}

static void record_received(struct comm* comm, int from, const MPI_Status* status) {
  struct bytes* out = begin_record(k_receive);
  put(out, 0);
  put_got(out, comm, from, status);
  put(out, m_standard);
  end_record();
}

static void record_sendreceive(struct comm* comm, int to, int tag, uint64_t bytes, int from, const MPI_Status* status) {
  struct bytes* out = begin_record(k_sendreceive);
  put(out, 0);
  put_end(out, comm, to, tag, bytes);
  put_got(out, comm, from, status);
  end_record();
}

#if MPI_VERSION >= 4
static void record_isendreceive(MPI_Request request, struct comm* comm, int to, int tag, uint64_t bytes, int from,
                                int into_tag) {
  const uint64_t id = add_request(request, r_receive, comm)->id;
  struct bytes* out = begin_record(k_sendreceive);
  put(out, id);
  put_end(out, comm, to, tag, bytes);
  put_end(out, comm, from, into_tag, 0);
  end_record();
}
#endif

/* A matched probe is recorded as the receive, and the receive as a wait for it. */
static void record_mprobe(MPI_Message message, struct comm* comm, const MPI_Status* status) {
  if (status->MPI_SOURCE == MPI_PROC_NULL)
    return;
  const uint64_t id = ++me.requests;
  add_message(message, id, comm);
  struct bytes* out = begin_record(k_receive);
  put(out, id);
  put_received(out, comm, status);
  put(out, m_standard);
  end_record();
}

static void record_mrecv(MPI_Message message, const MPI_Status* status) {
  struct comm* comm;
  const uint64_t id = take_message(message, &comm);
  if (id == 0)
    return;
  struct bytes* out = begin_record(k_complete);
  put(out, 1);
  put(out, id << 2 | 1);
  put_received(out, comm, status);
  end_record();
}

static void record_imrecv(MPI_Message message, MPI_Request request) {
  struct comm* comm;
  const uint64_t id = take_message(message, &comm);
  if (id > 0)
    add_request(request, r_receive, comm)->id = id;
}

static void record_probe(struct comm* comm, const MPI_Status* status) {
  struct bytes* out = begin_record(k_probed);
  put_received(out, comm, status);
  end_record();
}

/* One-sided */

static void record_remote(uint64_t request, MPI_Win win, int target, uint64_t bytes_put, uint64_t bytes_got) {
  const struct window* window = window_of(win);
  if (!window) {
    count_unrecorded("accesses to unknown windows");
    return;
  }
  struct bytes* out = begin_record(k_remote);
  put(out, request);
  put(out, (uint64_t)window->number);
  put_peer(out, window->comm, target);
  put(out, bytes_put);
  put(out, bytes_got);
  end_record();
}

/* target: a rank; nobody stands for all ranks. */
static void record_synchronisation(MPI_Win win, enum synchronisation how, int target) {
  const struct window* window = window_of(win);
  if (!window)
    return;
  struct bytes* out = begin_record(k_synchronise);
  put(out, (uint64_t)window->number);
  put(out, how);
  put(out, target != nobody);
  if (target != nobody)
    put_peer(out, window->comm, target);
  end_record();
}

static void record_exposure(MPI_Win win, enum synchronisation how, MPI_Group group) {
  const struct window* window = window_of(win);
  MPI_Group world;
  int count = 0;
  if (!window)
    return;
  REAL(Group_size)(group, &count);
  int ranks[count + 1], in_world[count + 1];
  for (int i = 0; i < count; ++i)
    ranks[i] = i;
  REAL(Comm_group)(the.world, &world);
  REAL(Group_translate_ranks)(group, count, ranks, world, in_world);
  struct bytes* out = begin_record(k_synchronise);
  put(out, (uint64_t)window->number);
  put(out, how);
  put(out, (uint64_t)count);
  for (int i = 0; i < count; ++i)
    put(out, in_world[i] < 0 ? 1 : (uint64_t)in_world[i] + 3);
  end_record();
}

/* A collective call: blocking, nonblocking, and persistent. */

#define COLLECTIVE(name, Name, kind, params, args, ...)                                                                \
  CALL(N(Name), (STRIP params), (STRIP args), , struct comm* const at = comm_of(comm);                                 \
       struct bytes* const to = begin_record(kind); put(to, 0); __VA_ARGS__; end_record())                             \
  CALL(N(I##name), (STRIP params, MPI_Request * request), (STRIP args, request), ,                                     \
       struct comm* const at = comm_of(comm);                                                                          \
       const uint64_t id = add_request(*request, r_other, at)->id; struct bytes* const to = begin_record(kind);        \
       put(to, id); __VA_ARGS__; end_record())                                                                         \
  PERSISTENT(Name, kind, params, args, __VA_ARGS__)
#if MPI_VERSION >= 4
#define PERSISTENT(Name, kind, params, args, ...)                                                                      \
  CALL(N(Name##_init), (STRIP params, MPI_Info info, MPI_Request * request), (STRIP args, info, request), ,            \
       struct comm* const at = comm_of(comm);                                                                          \
       struct bytes* const to = &add_persistent(*request, r_other, at, kind)->call; __VA_ARGS__)
#else
#define PERSISTENT(...)
#endif

#define N(name) name
#define COUNT int
#define SHIFT int
COLLECTIVE(barrier, Barrier, kind_of(at), (MPI_Comm comm), (comm), put_collective(to, at, o_barrier, 0, 0, NULL))
#include "counted.h"
#undef N
#undef COUNT
#undef SHIFT
#if MPI_VERSION >= 4
#define N(name) name##_c
#define COUNT MPI_Count
#define SHIFT MPI_Aint
#include "counted.h"
#endif

/* Persistent and partitioned */

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000 /* MPI 4.0 has const here */
#define PARTITION int
#else
#define PARTITION const int
#endif

static void record_partitioned(MPI_Request request, enum request_kind kind, enum kind record, struct comm* comm,
                               int peer, int tag, uint64_t bytes, int partitions) {
  struct request* const added = add_persistent(request, kind, comm, record);
  put_end(&added->call, comm, peer, tag, bytes);
  put(&added->call, m_partitioned);
  added->all_partitions = kind == r_send ? partitions : 0;
}

CALL(Start, (MPI_Request * request), (request), , start_persistent(*request))
CALL(Startall, (int count, MPI_Request requests[]), (count, requests), ,
     for (int i = 0; i < count; ++i) start_persistent(requests[i]))
#if MPI_VERSION >= 4
CALL(Psend_init,
     (const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
      MPI_Info info, MPI_Request* request),
     (buffer, partitions, count, type, peer, tag, comm, info, request), ,
     record_partitioned(*request, r_send, k_send, comm_of(comm), peer, tag,
                        (uint64_t)partitions*(uint64_t)count* size_of(type), partitions))
CALL(Precv_init,
     (void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Info info,
      MPI_Request* request),
     (buffer, partitions, count, type, peer, tag, comm, info, request), ,
     record_partitioned(*request, r_receive, k_receive, comm_of(comm), peer, tag,
                        (uint64_t)partitions*(uint64_t)count* size_of(type), partitions))
CALL(Pready, (int partition, MPI_Request request), (partition, request), , make_ready(request, 1))
CALL(Pready_range, (int first, int last, MPI_Request request), (first, last, request), ,
     make_ready(request, last - first + 1))
CALL(Pready_list, (int count, PARTITION partitions[], MPI_Request request), (count, partitions, request), ,
     make_ready(request, count))
POLL(Parrived, (MPI_Request request, int partition, int* flag), (request, partition, flag), , found_nothing())
#endif

/* Completion */

#define KEEP(count, list) const struct handles kept = keep_handles(count, list)
#define KEEP_ONE                                                                                                       \
  const uint64_t kept = handle_of(*request);                                                                           \
  OWN_STATUS
#define OWN_STATUSES(count)                                                                                            \
  if (is_recording() && statuses == MPI_STATUSES_IGNORE)                                                               \
  statuses = room_for_statuses(count)

static void record_poll(int has_found, const uint64_t* handles, int count, const int* indices,
                        const MPI_Status* statuses) {
  if (has_found)
    record_completion(handles, count, indices, statuses);
  else
    found_nothing();
}

CALL(Wait, (MPI_Request * request, MPI_Status* status), (request, status), KEEP_ONE,
     record_completion(&kept, 1, NULL, status))
CALL(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses),
     KEEP(count, requests);
     OWN_STATUSES(count), record_completion(kept.list, count, NULL, statuses))
CALL(Waitany, (int count, MPI_Request requests[], int* index, MPI_Status* status), (count, requests, index, status),
     KEEP(count, requests);
     OWN_STATUS, if (*index != MPI_UNDEFINED) record_completion(kept.list, 1, index, status))
CALL(Waitsome, (int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]),
     (count, requests, found, indices, statuses), KEEP(count, requests);
     OWN_STATUSES(count), if (*found != MPI_UNDEFINED) record_completion(kept.list, *found, indices, statuses))
POLL(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status), KEEP_ONE,
     record_poll(*flag, &kept, 1, NULL, status))
POLL(Testall, (int count, MPI_Request requests[], int* flag, MPI_Status statuses[]), (count, requests, flag, statuses),
     KEEP(count, requests);
     OWN_STATUSES(count), record_poll(*flag, kept.list, count, NULL, statuses))
POLL(Testany, (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
     (count, requests, index, flag, status), KEEP(count, requests);
     OWN_STATUS, record_poll(*flag&&* index != MPI_UNDEFINED, kept.list, 1, index, status))
POLL(Testsome, (int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]),
     (count, requests, found, indices, statuses), KEEP(count, requests);
     OWN_STATUSES(count), record_poll(*found > 0, kept.list, *found, indices, statuses))
POLL(Request_get_status, (MPI_Request request, int* flag, MPI_Status* status), (request, flag, status), ,
     found_nothing())
CALL(Request_free, (MPI_Request * request), (request), const uint64_t kept = handle_of(*request),
     struct request* freed = find_request(kept);
     if (!freed) freed = find_persistent(kept); if (freed) remove_request(freed))

CALL(Probe, (int peer, int tag, MPI_Comm comm, MPI_Status* status), (peer, tag, comm, status), OWN_STATUS,
     record_probe(comm_of(comm), status))
POLL(Iprobe, (int peer, int tag, MPI_Comm comm, int* flag, MPI_Status* status), (peer, tag, comm, flag, status),
     OWN_STATUS, if (*flag) record_probe(comm_of(comm), status);
     else found_nothing())
CALL(Mprobe, (int peer, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
     (peer, tag, comm, message, status), OWN_STATUS, record_mprobe(*message, comm_of(comm), status))
POLL(Improbe, (int peer, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
     (peer, tag, comm, flag, message, status), OWN_STATUS, if (*flag) record_mprobe(*message, comm_of(comm), status);
     else found_nothing())

/* Communicators */

#define MAKES(name, params, args, parent) CALL(name, params, args, , comm_made(parent, *made))
MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made), comm)
MAKES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made), comm)
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made), comm)
MAKES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), (comm, group, tag, made),
      the.no_comm)
MAKES(Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm* made), (comm, colour, key, made), comm)
MAKES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made), (comm, type, key, info, made),
      comm)
MAKES(Cart_create,
      (MPI_Comm comm, int dimensions, const int extents[], const int periods[], int reorder, MPI_Comm* made),
      (comm, dimensions, extents, periods, reorder, made), comm)
MAKES(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm* made), (comm, remain, made), comm)
MAKES(Graph_create, (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm* made),
      (comm, nodes, index, edges, reorder, made), comm)
MAKES(Dist_graph_create,
      (MPI_Comm comm, int count, const int sources[], const int degrees[], const int targets[], const int weights[],
       MPI_Info info, int reorder, MPI_Comm* made),
      (comm, count, sources, degrees, targets, weights, info, reorder, made), comm)
MAKES(Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out, const int targets[],
       const int out_weights[], MPI_Info info, int reorder, MPI_Comm* made),
      (comm, in, sources, in_weights, out, targets, out_weights, info, reorder, made), comm)
MAKES(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made),
      (comm, leader, peer, remote_leader, tag, made), comm)
MAKES(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made), the.no_comm)

static void record_idup(MPI_Comm parent, MPI_Comm* made, MPI_Request request) {
  struct comm* comm = comm_announced(parent);
  struct request* const added = add_request(request, r_duplicate, comm);
  added->duplicate = made;
}
CALL(Comm_idup, (MPI_Comm comm, MPI_Comm* made, MPI_Request* request), (comm, made, request), ,
     record_idup(comm, made, *request))
#if MPI_VERSION >= 4
CALL(Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made, MPI_Request* request),
     (comm, info, made, request), , record_idup(comm, made, *request))
#endif
CALL(Comm_free, (MPI_Comm * comm), (comm), const MPI_Comm freed = *comm, comm_freed(freed))
CALL(Comm_disconnect, (MPI_Comm * comm), (comm), const MPI_Comm freed = *comm, comm_freed(freed))

/* Windows */

CALL(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win* win), (info, comm, win), , window_made(comm, *win))
CALL(Win_free, (MPI_Win * win), (win), const MPI_Win freed = *win, record_synchronisation(freed, s_free, nobody);
     window_freed(freed))
CALL(Fetch_and_op,
     (const void* from, void* into, MPI_Datatype type, int target, MPI_Aint shift, MPI_Op op, MPI_Win win),
     (from, into, type, target, shift, op, win), , record_remote(0, win, target, size_of(type), size_of(type)))
CALL(Compare_and_swap,
     (const void* from, const void* compared, void* into, MPI_Datatype type, int target, MPI_Aint shift, MPI_Win win),
     (from, compared, into, type, target, shift, win), ,
     record_remote(0, win, target, 2 * size_of(type), size_of(type)))

CALL(Win_fence, (int assertion, MPI_Win win), (assertion, win), , record_synchronisation(win, s_fence, nobody))
TIMED(Win_lock, (int type, int rank, int assertion, MPI_Win win), (type, rank, assertion, win))
TIMED(Win_lock_all, (int assertion, MPI_Win win), (assertion, win))
CALL(Win_unlock, (int rank, MPI_Win win), (rank, win), , record_synchronisation(win, s_flush, rank))
CALL(Win_unlock_all, (MPI_Win win), (win), , record_synchronisation(win, s_flush, nobody))
CALL(Win_flush, (int rank, MPI_Win win), (rank, win), , record_synchronisation(win, s_flush, rank))
CALL(Win_flush_local, (int rank, MPI_Win win), (rank, win), , record_synchronisation(win, s_flush, rank))
CALL(Win_flush_all, (MPI_Win win), (win), , record_synchronisation(win, s_flush, nobody))
CALL(Win_flush_local_all, (MPI_Win win), (win), , record_synchronisation(win, s_flush, nobody))
CALL(Win_post, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win), ,
     record_exposure(win, s_post, group))
CALL(Win_start, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win), ,
     record_exposure(win, s_start, group))
CALL(Win_complete, (MPI_Win win), (win), , record_synchronisation(win, s_complete, nobody))
CALL(Win_wait, (MPI_Win win), (win), , record_synchronisation(win, s_wait, nobody))
POLL(Win_test, (MPI_Win win, int* flag), (win, flag), , if (*flag) record_synchronisation(win, s_wait, nobody);
     else found_nothing())

/* Files, and calls that no record can hold */

#include "files.h"
UNRECORDED(Comm_spawn,
           (const char* command, char* words[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made,
            int codes[]),
           (command, words, most, info, root, comm, made, codes))
UNRECORDED(Comm_spawn_multiple,
           (int count, char* commands[], char** words[], const int most[], const MPI_Info info[], int root,
            MPI_Comm comm, MPI_Comm* made, int codes[]),
           (count, commands, words, most, info, root, comm, made, codes))
UNRECORDED(Comm_accept, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
           (port, info, root, comm, made))
UNRECORDED(Comm_connect, (const char* port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* made),
           (port, info, root, comm, made))
UNRECORDED(Comm_join, (int socket, MPI_Comm* made), (socket, made))
#if MPI_VERSION >= 4
UNRECORDED(Comm_create_from_group,
           (MPI_Group group, const char* tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm* made),
           (group, tag, info, handler, made))
UNRECORDED(Intercomm_create_from_groups,
           (MPI_Group group, int leader, MPI_Group remote, int remote_leader, const char* tag, MPI_Info info,
            MPI_Errhandler handler, MPI_Comm* made),
           (group, leader, remote, remote_leader, tag, info, handler, made))
#endif

/* Regions of the program: MPI_Pcontrol as IPM reads it (1 and a name, -1 and a name), and the markers of likwid and
 * Caliper, whose libraries need not be there. */

enum { most_of_name = 200 };
static void mark(const char* region) { /* NULL: the latest region ends */
  if (!enter("a region", NULL, NULL))
    return;
  leave(0);
  struct bytes* const out = begin_record(k_region);
  char name[most_of_name] = "";
  strncpy(name, region ? region : "", sizeof name - 1);
  put_text(out, name);
  end_record();
  resume();
}

/* Returns the text at the address, or NULL if there is none: a program may pass anything. */
static const char* text_at(const char* address, char* room, size_t most) {
  struct iovec here = {room, most}, there = {(void*)address, most};
  const ssize_t read = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  for (ssize_t i = 0; i < read; ++i) {
    if (room[i] == '\0')
      return i > 0 ? room : NULL;
    if (room[i] < ' ' || room[i] > '~')
      return NULL;
  }
  return NULL;
}

WRAP(Pcontrol, (const int level, ...)) {
  char room[most_of_name];
  va_list words;
  va_start(words, level);
  const char* const given = va_arg(words, const char*);
  va_end(words);
  const char* const name = level == 1 || level == -1 ? text_at(given, room, sizeof room) : NULL;
  if (name && is_recording())
    mark(level == 1 ? name : NULL);
  else if (!is_recording())
    stand_aside(&real_Pcontrol);
  return REAL(Pcontrol)(level, given);
}

/* All markers return integers here; callers of those that return nothing ignore them. */
#define MARKER(name, region)                                                                                           \
  int name(const char* of) {                                                                                           \
    static int (*real)(const char*);                                                                                   \
    if (is_recording())                                                                                                \
      mark(region);                                                                                                    \
    if (!real)                                                                                                         \
      real = (int (*)(const char*))dlsym(RTLD_NEXT, #name);                                                            \
    return real ? real(of) : 0;                                                                                        \
  }
MARKER(likwid_markerStartRegion, of)
MARKER(likwid_markerStopRegion, NULL)
MARKER(cali_begin_region, of)
MARKER(cali_end_region, NULL)

/* The beginning and the end */

KEEP_REAL(Comm_rank);
KEEP_REAL(Comm_size);
KEEP_REAL(Query_thread);

static void begin(void) {
  if (!is_right_library())
    return;
  find_constants();
  REAL(Comm_rank)(the.world, &me.rank);
  REAL(Comm_size)(the.world, &me.ranks);
  int level = MPI_THREAD_SINGLE;
  REAL(Query_thread)(&level);
  me.has_threads = level > MPI_THREAD_FUNNELED;
  start_recording();
  if (me.is_open)
    comm_of(the.world);
}

WRAP(Init, (int* count, char*** words)) {
  stand_aside(&real_Init);
  const int code = REAL(Init)(count, words);
  if (code == MPI_SUCCESS)
    begin();
  return code;
}

WRAP(Init_thread, (int* count, char*** words, int wanted, int* provided)) {
  stand_aside(&real_Init_thread);
  const int code = REAL(Init_thread)(count, words, wanted, provided);
  if (code == MPI_SUCCESS)
    begin();
  return code;
}

WRAP(Finalize, (void)) {
  if (enter("MPI_Finalize", &real_Finalize, NULL)) {
    leave(0);
    end_recording(e_finalized, 0);
    resume();
  }
  return REAL(Finalize)();
}

WRAP(Abort, (MPI_Comm comm, int number)) {
  if (enter("MPI_Abort", &real_Abort, NULL)) {
    leave(0);
    end_recording(e_aborted, number);
    resume();
  }
  return REAL(Abort)(comm, number);
}
