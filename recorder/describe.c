#define _GNU_SOURCE
#include "describe.h"

#include <stdlib.h>

KEEP_REAL(Type_size);
KEEP_REAL(Type_size_x);
KEEP_REAL(Get_elements_x);
KEEP_REAL(Test_cancelled);

uint64_t size_of(MPI_Datatype type) {
  int size = 0;
  REAL(Type_size)(type, &size);
  if (size >= 0)
    return (uint64_t)size;
  MPI_Count large = 0;
  REAL(Type_size_x)(type, &large);
  return (uint64_t)large;
}

static void put_world_rank(struct bytes* to, int rank) {
  put(to, rank == nobody ? 0 : rank == outside ? 1 : (uint64_t)rank + 3);
}

void put_peer(struct bytes* to, const struct comm* comm, int rank) {
  if (rank == MPI_ANY_SOURCE) {
    put(to, 2);
    return;
  }
  const int world = world_rank(comm, rank);
  if (world == outside)
    count_unrecorded("messages to or from processes outside the world");
  put_world_rank(to, world);
}

void put_end(struct bytes* to, const struct comm* comm, int peer, int tag, uint64_t bytes) {
  put(to, (uint64_t)comm->number);
  put_peer(to, comm, peer);
  put(to, tag == MPI_ANY_TAG ? 0 : (uint64_t)tag + 1);
  put(to, bytes);
}

void put_received(struct bytes* to, const struct comm* comm, const MPI_Status* status) {
  MPI_Count bytes = 0;
  REAL(Get_elements_x)(status, the.byte, &bytes);
  put_end(to, comm, status->MPI_SOURCE, status->MPI_TAG, bytes > 0 ? (uint64_t)bytes : 0);
}

/* Memory for `count` things of one size, and at least for one; it is valid until the next call. */
struct room {
  void* data;
  size_t size;
};
static void* room_for(struct room* room, int count, size_t each) {
  const size_t size = (size_t)(count > 0 ? count : 1) * each;
  if (size > room->size) {
    free(room->data);
    room->data = malloc(size);
    room->size = size;
    if (!room->data)
      abort();
  }
  return room->data;
}

/* Collective calls */

uint64_t* room_for_sizes(int count) {
  static struct room room;
  return memset(room_for(&room, count, sizeof(uint64_t)), 0, (size_t)count * sizeof(uint64_t));
}

/* A call between two groups becomes messages: with a root, between it and all others; otherwise from all to all. */
static void put_between_groups(struct bytes* to, const struct comm* comm, enum operation operation, int root,
                               uint64_t bytes, const uint64_t* sizes) {
  const int is_from_root = operation == o_bcast || operation == o_scatter || operation == o_scatterv;
  const int is_to_root = operation == o_reduce || operation == o_gather || operation == o_gatherv;
  const int is_root = root == MPI_ROOT, is_idle = root == MPI_PROC_NULL;
  const int has_root = is_from_root || is_to_root;
  const int one = has_root && !is_root, count = has_root && is_idle ? 0 : one ? 1 : comm->remote_size;
  const int sends = !has_root || is_from_root == is_root ? count : 0;
  const int receives = !has_root || is_from_root != is_root ? count : 0;
  put(to, (uint64_t)comm->number);
  put(to, (uint64_t)sends);
  for (int i = 0; i < sends; ++i) {
    put_peer(to, comm, one ? root : i);
    put(to, sizes && !one ? sizes[i] : bytes);
  }
  put(to, (uint64_t)receives);
  for (int i = 0; i < receives; ++i)
    put_peer(to, comm, one ? root : i);
}

void put_collective(struct bytes* to, const struct comm* comm, enum operation operation, int root, uint64_t bytes,
                    const uint64_t* sizes) {
  if (comm->is_inter) {
    put_between_groups(to, comm, operation, root, bytes, sizes);
    return;
  }
  put(to, (uint64_t)comm->number);
  put(to, operation);
  put(to, (uint64_t)root);
  put(to, bytes);
  put(to, sizes ? (uint64_t)comm->size : 0);
  for (int i = 0; sizes && i < comm->size; ++i)
    put(to, sizes[i]);
}

void put_neighbours(struct bytes* to, const struct comm* comm, uint64_t bytes, const uint64_t* sizes) {
  put(to, (uint64_t)comm->number);
  put(to, (uint64_t)comm->targets);
  for (int i = 0; i < comm->targets; ++i) {
    put_world_rank(to, comm->target[i]);
    put(to, sizes ? sizes[i] : bytes);
  }
  put(to, (uint64_t)comm->sources);
  for (int i = 0; i < comm->sources; ++i)
    put_world_rank(to, comm->source[i]);
}

/* Persistent requests */

struct request* add_persistent(MPI_Request handle, enum request_kind kind, struct comm* comm, enum kind record) {
  struct request* request = add_request(handle, kind, comm);
  request->is_persistent = 1;
  request->is_active = 0;
  put(&request->call, record);
  return request;
}

static void record_start(const struct request* request) {
  struct bytes* out = begin_record((enum kind)request->call.data[0]);
  put(out, request->id);
  make_room(out, request->call.size);
  memcpy(out->data + out->size, request->call.data + 1, request->call.size - 1);
  out->size += request->call.size - 1;
  end_record();
}

void start_persistent(MPI_Request handle) {
  struct request* request = find_persistent(handle_of(handle));
  if (!request) {
    count_unrecorded("starts of unknown requests");
    return;
  }
  request->is_active = 1;
  request->id = ++me.requests;
  request->partitions = request->all_partitions;
  if (request->partitions == 0)
    record_start(request);
}

void make_ready(MPI_Request handle, int partitions) {
  struct request* request = find_persistent(handle_of(handle));
  if (request && request->partitions > 0 && (request->partitions -= partitions) <= 0)
    record_start(request);
}

/* Completion */

struct handles keep_handles(int count, const MPI_Request* requests) {
  static __thread struct room room;
  struct handles kept = {NULL, 0};
  if (!is_recording())
    return kept;
  uint64_t* const list = room_for(&room, count, sizeof *list);
  for (int i = 0; i < count; ++i)
    list[i] = handle_of(requests[i]);
  kept.list = list;
  kept.count = count;
  return kept;
}

MPI_Status* room_for_statuses(int count) {
  static __thread struct room room;
  return room_for(&room, count, sizeof(MPI_Status));
}

static void put_completed(struct bytes* to, struct request* request, const MPI_Status* status) {
  enum { done, received, cancelled };
  int is_cancelled = 0;
  if (request->kind == r_send || request->kind == r_receive)
    REAL(Test_cancelled)(status, &is_cancelled);
  const int is_message = request->kind == r_receive && !is_cancelled && status->MPI_SOURCE != MPI_PROC_NULL;
  put(to, request->id << 2 | (is_cancelled ? cancelled : is_message ? received : done));
  if (is_message)
    put_received(to, request->comm, status);
  if (request->kind == r_duplicate)
    comm_arrived(*request->duplicate, request->comm);
}

void record_completion(const uint64_t* handles, int count, const int* indices, const MPI_Status* statuses) {
  struct ended {
    struct request* request;
    const MPI_Status* status;
  };
  static struct room room;
  struct ended* const ended = room_for(&room, count, sizeof *ended);
  int found = 0, is_unknown = 0;
  for (int i = 0; i < count; ++i) {
    const uint64_t handle = handles[indices ? indices[i] : i];
    struct request* request = find_request(handle);
    if (request) {
      request->is_active = 0;
      ended[found++] = (struct ended){request, &statuses[i]};
    } else {
      is_unknown |= handle != handle_of(the.no_request) && !find_persistent(handle);
    }
  }
  if (found > 0) {
    struct bytes* out = begin_record(k_complete);
    put(out, (uint64_t)found);
    for (int i = 0; i < found; ++i)
      put_completed(out, ended[i].request, ended[i].status);
    end_record();
  } else if (is_unknown) { /* a request of a file, or one that the program defines */
    begin_record(k_elapsed);
    end_record();
  }
  for (int i = 0; i < found; ++i)
    if (!ended[i].request->is_persistent)
      remove_request(ended[i].request);
}
