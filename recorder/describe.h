/* Writes what a call asks for: the fields of its record behind the number of its request. */
#ifndef KAKEHASHI_DESCRIBE_H
#define KAKEHASHI_DESCRIBE_H

#include "wrap.h"

uint64_t size_of(MPI_Datatype type);

/* Ranks are written as 0 nobody, 1 outside the world, 2 any, and those of the world from 3 on; tags as 0 any, others
 * from 1 on. */
void put_peer(struct bytes* to, const struct comm* comm, int rank);
void put_end(struct bytes* to, const struct comm* comm, int peer, int tag, uint64_t bytes);
void put_received(struct bytes* to, const struct comm* comm, const MPI_Status* status);

/* sizes: NULL, or one for each rank, of an intercommunicator each remote one. A call between groups becomes messages.
 */
void put_collective(struct bytes* to, const struct comm* comm, enum operation operation, int root, uint64_t bytes,
                    const uint64_t* sizes);
/* sizes: NULL, or one for each target. */
void put_neighbours(struct bytes* to, const struct comm* comm, uint64_t bytes, const uint64_t* sizes);
static inline int peers_of(const struct comm* comm) {
  return comm->is_inter ? comm->remote_size : comm->size;
}
static inline enum kind kind_of(const struct comm* comm) {
  return comm->is_inter ? k_exchange : k_collective;
}
uint64_t* room_for_sizes(int count); /* all 0; valid until the next call */

struct request* add_persistent(MPI_Request handle, enum request_kind kind, struct comm* comm, enum kind record);
void start_persistent(MPI_Request handle);
void make_ready(MPI_Request handle, int partitions);

/* Handles of requests as they were before a call, which may change them. */
struct handles {
  uint64_t* list;
  int count;
};
struct handles keep_handles(int count, const MPI_Request* requests);
MPI_Status* room_for_statuses(int count);
/* Records that requests have ended, in the order of `indices` (NULL: all of them). */
void record_completion(const uint64_t* handles, int count, const int* indices, const MPI_Status* statuses);

#endif
