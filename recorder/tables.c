#define _GNU_SOURCE
#include "tables.h"

#include <stdlib.h>

struct constants the;

void find_constants(void) {
#ifdef OPEN_MPI
  the.world = symbol("ompi_mpi_comm_world");
  the.no_comm = symbol("ompi_mpi_comm_null");
  the.no_request = symbol("ompi_request_null");
  the.byte = symbol("ompi_mpi_byte");
#else
  the.world = MPI_COMM_WORLD;
  the.no_comm = MPI_COMM_NULL;
  the.no_request = MPI_REQUEST_NULL;
  the.byte = MPI_BYTE;
#endif
}

/* Functions of MPI that are used, and not recorded. */
KEEP_REAL(Comm_group);
KEEP_REAL(Comm_remote_group);
KEEP_REAL(Comm_test_inter);
KEEP_REAL(Comm_rank);
KEEP_REAL(Comm_size);
KEEP_REAL(Group_size);
KEEP_REAL(Group_free);
KEEP_REAL(Group_translate_ranks);
KEEP_REAL(Topo_test);
KEEP_REAL(Cartdim_get);
KEEP_REAL(Cart_shift);
KEEP_REAL(Graph_neighbors_count);
KEEP_REAL(Graph_neighbors);
KEEP_REAL(Dist_graph_neighbors_count);
KEEP_REAL(Dist_graph_neighbors);

static void* take_memory(size_t size) {
  void* memory = calloc(1, size > 0 ? size : 1);
  if (!memory) {
    complain("rank %d: there is not enough memory", me.rank);
    abort();
  }
  return memory;
}

/* A small hash table from handles. */
struct entry {
  uint64_t handle;
  void* value;
  struct entry* next;
};
enum { buckets = 256 };
struct table {
  struct entry* bucket[buckets];
};
static size_t bucket_of(uint64_t handle) {
  return (handle * 0x9e3779b97f4a7c15u) >> 56;
}
static void* look_up(const struct table* table, uint64_t handle) {
  for (const struct entry* entry = table->bucket[bucket_of(handle)]; entry; entry = entry->next)
    if (entry->handle == handle)
      return entry->value;
  return NULL;
}
static void insert(struct table* table, uint64_t handle, void* value) { /* in front of an older one with that handle */
  struct entry** bucket = &table->bucket[bucket_of(handle)];
  struct entry* entry = take_memory(sizeof *entry);
  *entry = (struct entry){handle, value, *bucket};
  *bucket = entry;
}
static void* take(struct table* table, uint64_t handle) {
  for (struct entry** at = &table->bucket[bucket_of(handle)]; *at; at = &(*at)->next)
    if ((*at)->handle == handle) {
      struct entry* entry = *at;
      void* value = entry->value;
      *at = entry->next;
      free(entry);
      return value;
    }
  return NULL;
}

/* Communicators */

static struct table comms, windows, messages;
static int comm_count, window_count;
static MPI_Group world_group;
static uint64_t last_handle;
static struct comm* last_comm;

/* Returns the ranks in the world of a group's members; NULL: the group is the whole world, in order. */
static int* members_of(MPI_Group group, int size) {
  int *ranks = take_memory((size_t)size * sizeof *ranks), *world = take_memory((size_t)size * sizeof *world);
  int is_same = size == me.ranks;
  for (int i = 0; i < size; ++i)
    ranks[i] = i;
  REAL(Group_translate_ranks)(group, size, ranks, world_group, world);
  for (int i = 0; i < size; ++i) {
    if (world[i] < 0)
      world[i] = outside;
    is_same = is_same && world[i] == i;
  }
  free(ranks);
  if (is_same) {
    free(world);
    return NULL;
  }
  return world;
}

static struct comm* describe(MPI_Comm handle) {
  struct comm* comm = take_memory(sizeof *comm);
  MPI_Group group;
  if (!last_comm && comm_count == 0) /* the world comes first */
    REAL(Comm_group)(the.world, &world_group);
  comm->number = comm_count++;
  comm->sources = -1;
  REAL(Comm_test_inter)(handle, &comm->is_inter);
  REAL(Comm_rank)(handle, &comm->rank);
  REAL(Comm_size)(handle, &comm->size);
  REAL(Comm_group)(handle, &group);
  comm->world = members_of(group, comm->size);
  REAL(Group_free)(&group);
  if (comm->is_inter) {
    REAL(Comm_remote_group)(handle, &group);
    REAL(Group_size)(group, &comm->remote_size);
    comm->remote = members_of(group, comm->remote_size);
    REAL(Group_free)(&group);
  }
  return comm;
}

static void put_members(struct bytes* to, const int* world, int count) {
  if (world || count == 0) {
    put_ranks(to, world, count);
    return;
  }
  put(to, 1); /* all, in order */
  put_signed(to, 0);
  put_signed(to, 1);
  put(to, (uint64_t)count);
}

static void record_comm(const struct comm* parent, const struct comm* made) {
  struct bytes* out = begin_record(k_communicator);
  put(out, made ? (uint64_t)made->number : 0);
  put(out, parent ? (uint64_t)parent->number + 1 : 0);
  if (made) {
    put_members(out, made->world, made->size);
    put_members(out, made->remote, made->is_inter ? made->remote_size : 0);
  } else {
    put(out, 0);
    put(out, 0);
  }
  end_record();
}

static struct comm* add_comm(const struct comm* parent, MPI_Comm handle) {
  struct comm* made = describe(handle);
  insert(&comms, (uint64_t)handle, made);
  if (made->number > 0)
    record_comm(parent, made);
  return made;
}

struct comm* comm_of(MPI_Comm handle) {
  const uint64_t key = (uint64_t)handle;
  if (__builtin_expect(key == last_handle && last_comm, 1))
    return last_comm;
  struct comm* found = look_up(&comms, key);
  if (!found)
    found = add_comm(NULL, handle);
  last_handle = key;
  last_comm = found;
  return found;
}

void comm_made(MPI_Comm parent, MPI_Comm handle) {
  const struct comm* of = parent == the.no_comm ? NULL : comm_of(parent);
  if (handle == the.no_comm)
    record_comm(of, NULL);
  else
    add_comm(of, handle);
}

struct comm* comm_announced(MPI_Comm parent) {
  struct comm* made = describe(parent);
  record_comm(NULL, made);
  return made;
}

void comm_arrived(MPI_Comm handle, struct comm* comm) {
  insert(&comms, (uint64_t)handle, comm);
}

void comm_freed(MPI_Comm handle) { /* requests may still use it, so its memory stays */
  take(&comms, (uint64_t)handle);
  last_comm = NULL;
}

static void cartesian_neighbours(MPI_Comm handle, struct comm* comm) {
  int dimensions = 0;
  REAL(Cartdim_get)(handle, &dimensions);
  comm->sources = comm->targets = 2 * dimensions;
  comm->source = take_memory((size_t)comm->sources * sizeof(int));
  for (int d = 0; d < dimensions; ++d)
    REAL(Cart_shift)(handle, d, 1, &comm->source[2 * d], &comm->source[2 * d + 1]);
  comm->target = take_memory((size_t)comm->targets * sizeof(int));
  memcpy(comm->target, comm->source, (size_t)comm->targets * sizeof(int));
}

static void graph_neighbours(MPI_Comm handle, struct comm* comm) {
  int count = 0;
  REAL(Graph_neighbors_count)(handle, comm->rank, &count);
  comm->sources = comm->targets = count;
  comm->source = take_memory((size_t)count * sizeof(int));
  comm->target = take_memory((size_t)count * sizeof(int));
  REAL(Graph_neighbors)(handle, comm->rank, count, comm->source);
  REAL(Graph_neighbors)(handle, comm->rank, count, comm->target);
}

static void distributed_neighbours(MPI_Comm handle, struct comm* comm) {
  int is_weighted = 0;
  REAL(Dist_graph_neighbors_count)(handle, &comm->sources, &comm->targets, &is_weighted);
  comm->source = take_memory((size_t)comm->sources * sizeof(int));
  comm->target = take_memory((size_t)comm->targets * sizeof(int));
  int* weights = take_memory((size_t)(comm->sources + comm->targets) * sizeof(int));
  REAL(Dist_graph_neighbors)
  (handle, comm->sources, comm->source, weights, comm->targets, comm->target, weights + comm->sources);
  free(weights);
}

void find_neighbours(MPI_Comm handle, struct comm* comm) {
  if (comm->sources >= 0)
    return;
  int topology = MPI_UNDEFINED;
  REAL(Topo_test)(handle, &topology);
  comm->sources = comm->targets = 0;
  if (topology == MPI_CART)
    cartesian_neighbours(handle, comm);
  else if (topology == MPI_GRAPH)
    graph_neighbours(handle, comm);
  else if (topology == MPI_DIST_GRAPH)
    distributed_neighbours(handle, comm);
  for (int i = 0; i < comm->sources; ++i)
    comm->source[i] = world_rank(comm, comm->source[i]);
  for (int i = 0; i < comm->targets; ++i)
    comm->target[i] = world_rank(comm, comm->target[i]);
}

/* Requests. Some libraries give one handle to all operations that have ended at once, so several requests may have it.
 */

enum { request_buckets = 4096 };
static struct { struct request *first, *last; } bucket_list[request_buckets];
static struct request* unused;

static size_t request_bucket(uint64_t handle) {
  return (handle * 0x9e3779b97f4a7c15u) >> 52;
}

struct request* add_request(MPI_Request handle, enum request_kind kind, struct comm* comm) {
  struct request* request = unused;
  if (request)
    unused = request->next;
  else
    request = take_memory(sizeof *request);
  struct bytes call = request->call; /* its memory is used again */
  call.size = 0;
  *request = (struct request){handle_of(handle), NULL, ++me.requests, comm, kind, 0, 1, call, 0, 0, NULL, 0};
  const size_t bucket = request_bucket(request->handle);
  if (bucket_list[bucket].first)
    bucket_list[bucket].last->next = request;
  else
    bucket_list[bucket].first = request;
  bucket_list[bucket].last = request;
  return request;
}

struct request* find_request(uint64_t handle) {
  for (struct request* request = bucket_list[request_bucket(handle)].first; request; request = request->next)
    if (request->handle == handle && request->is_active)
      return request;
  return NULL;
}

struct request* find_persistent(uint64_t handle) {
  for (struct request* request = bucket_list[request_bucket(handle)].first; request; request = request->next)
    if (request->handle == handle && request->is_persistent)
      return request;
  return NULL;
}

void remove_request(struct request* request) {
  const size_t bucket = request_bucket(request->handle);
  struct request* last = NULL;
  for (struct request** at = &bucket_list[bucket].first; *at; at = &(*at)->next) {
    if (*at == request) {
      *at = request->next;
      if (bucket_list[bucket].last == request)
        bucket_list[bucket].last = last;
      break;
    }
    last = *at;
  }
  request->next = unused;
  unused = request;
}

/* Windows */

struct window* window_of(MPI_Win handle) {
  return look_up(&windows, (uint64_t)handle);
}

void window_made(MPI_Comm comm, MPI_Win handle) {
  struct window* window = take_memory(sizeof *window);
  window->number = window_count++;
  window->comm = comm_of(comm);
  insert(&windows, (uint64_t)handle, window);
  struct bytes* out = begin_record(k_window);
  put(out, (uint64_t)window->number);
  put(out, (uint64_t)window->comm->number);
  end_record();
}

void window_freed(MPI_Win handle) {
  free(take(&windows, (uint64_t)handle));
}

/* Messages */

struct matched {
  uint64_t id;
  struct comm* comm;
};

void add_message(MPI_Message handle, uint64_t id, struct comm* comm) {
  struct matched* matched = take_memory(sizeof *matched);
  *matched = (struct matched){id, comm};
  insert(&messages, (uint64_t)handle, matched);
}

uint64_t take_message(MPI_Message handle, struct comm** comm) {
  struct matched* matched = take(&messages, (uint64_t)handle);
  const uint64_t id = matched ? matched->id : 0;
  *comm = matched ? matched->comm : NULL;
  free(matched);
  return id;
}
