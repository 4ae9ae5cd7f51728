/* Tables of the objects behind MPI's handles: communicators, requests, windows, messages that were probed. */
#ifndef KAKEHASHI_TABLES_H
#define KAKEHASHI_TABLES_H

#include "record.h"

/* Constants of MPI that are addresses in some libraries. They are looked up, so that the recorder can be loaded without
 * MPI. */
struct constants {
  MPI_Comm world, no_comm;
  MPI_Request no_request;
  MPI_Datatype byte;
};
extern struct constants the;
void find_constants(void);

enum { nobody = -1, outside = -2 }; /* outside the world */

struct comm {
  int number; /* 0 is the world's */
  int size, rank;
  int is_inter;
  int remote_size;
  int* world;           /* each member's rank in the world; NULL: its own rank */
  int* remote;          /* the same for the remote group of an intercommunicator */
  int sources, targets; /* numbers of neighbours; -1: not known yet */
  int *source, *target; /* their ranks in the world */
};
/* Finds a communicator; writes a record of it first if it has none yet. */
struct comm* comm_of(MPI_Comm handle);
/* Adds a communicator that was made from `parent` (NULL: from a group, by its members), with a record of it. Its handle
 * is MPI_COMM_NULL if this rank is no member. */
void comm_made(MPI_Comm parent, MPI_Comm handle);
/* Does the same for a communicator with the members of `parent` whose handle is known only later, by comm_arrived. */
struct comm* comm_announced(MPI_Comm parent);
void comm_arrived(MPI_Comm handle, struct comm* comm);
void comm_freed(MPI_Comm handle);
void find_neighbours(MPI_Comm handle, struct comm* comm);
/* Returns the rank in the world of a rank that messages go to or come from. */
static inline int world_rank(const struct comm* comm, int rank) {
  if (rank < 0)
    return nobody;
  const int* of = comm->is_inter ? comm->remote : comm->world;
  return of ? of[rank] : rank;
}

enum request_kind { r_send, r_receive, r_other, r_duplicate, r_time };
struct request {
  uint64_t handle;
  struct request* next; /* of the same bucket; the oldest comes first */
  uint64_t id;
  struct comm* comm;
  enum request_kind kind;
  int is_persistent, is_active;
  struct bytes call;   /* of a persistent one: the kind of its record, and the fields behind the request */
  int partitions;      /* not yet ready */
  int all_partitions;  /* 0: it has none */
  MPI_Comm* duplicate; /* will hold the handle of a communicator */
  uint64_t other_id;   /* of a message that was matched before; 0: none */
};
static inline uint64_t handle_of(MPI_Request request) {
  return (uint64_t)request;
}
struct request* add_request(MPI_Request handle, enum request_kind kind, struct comm* comm);
struct request* find_request(uint64_t handle); /* the oldest active one; NULL: the recorder has none */
struct request* find_persistent(uint64_t handle);
void remove_request(struct request* request);

struct window {
  int number;
  struct comm* comm;
};
struct window* window_of(MPI_Win handle);
void window_made(MPI_Comm comm, MPI_Win handle);
void window_freed(MPI_Win handle);

/* Messages between a matched probe and their receive. */
void add_message(MPI_Message handle, uint64_t id, struct comm* comm);
uint64_t take_message(MPI_Message handle, struct comm** comm);

#endif
