/* What a call asks for, as it stands in its record after the number of its request. */
#ifndef KAKEHASHI_DESCRIBE_H
#define KAKEHASHI_DESCRIBE_H

#include "wrap.h"

uint64_t size_of(MPI_Datatype type);

/* Ranks: 0 nobody, 1 outside the world, 2 any, 3 … those of the world. Tags: 0 any, 1 … */
void put_peer(struct bytes* to, const struct comm* comm, int rank);
void put_end(struct bytes* to, const struct comm* comm, int peer, int tag, uint64_t bytes);
void put_received(struct bytes* to, const struct comm* comm, const MPI_Status* status);

/* sizes: NULL, or one for each rank, or each of the remote ones. Between groups it becomes messages. */
void put_collective(struct bytes* to, const struct comm* comm, enum operation operation, int root, uint64_t bytes,
                    const uint64_t* sizes);
/* sizes: NULL, or of each target. */
void put_neighbours(struct bytes* to, const struct comm* comm, uint64_t bytes, const uint64_t* sizes);
static inline int peers_of(const struct comm* comm) {
  return comm->is_inter ? comm->remote_size : comm->size;
}
static inline enum kind kind_of(const struct comm* comm) {
  return comm->is_inter ? k_exchange : k_collective;
}
uint64_t* room_for_sizes(int count); /* all 0; until the next call */

struct request* add_persistent(MPI_Request handle, enum request_kind kind, struct comm* comm, enum kind record);
void start_persistent(MPI_Request handle);
void make_ready(MPI_Request handle, int partitions);

/* Requests that have ended, in the order of `indices` (NULL: all). Handles: as they were before the call. */
struct handles {
  uint64_t* list;
  int count;
};
struct handles keep_handles(int count, const MPI_Request* requests);
MPI_Status* room_for_statuses(int count);
void record_completion(const uint64_t* handles, int count, const int* indices, const MPI_Status* statuses);

#endif
