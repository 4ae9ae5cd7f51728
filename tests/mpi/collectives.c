/* Calls each operation with each size that the command line lists: OPERATION BYTES… Each rank says so before. "others"
   are calls that an algorithm may not be able to serve: of other communicators, other operators, and in place. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void first(void* in, void* out, int* length, MPI_Datatype* type) {
  (void)type;
  memcpy(out, in, *length * sizeof(int));
}

static void reduce_all(int* from, int* to, int* counts, int ints, MPI_Op op, MPI_Comm comm) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  for (int k = 0; k < ranks; ++k)
    counts[k] = ints / ranks + (k < ints % ranks);
  MPI_Allreduce(from, to, ints, MPI_INT, op, comm);
  MPI_Reduce(from, to, ints, MPI_INT, op, 0, comm);
  MPI_Reduce_scatter(from, to, counts, MPI_INT, op, comm);
  MPI_Scan(from, to, ints, MPI_INT, op, comm);
}

static void others(char* from, char* to, int* counts, int bytes) {
  int rank, ranks;
  MPI_Comm comms[4];
  MPI_Op ops[3] = {MPI_SUM};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  comms[0] = MPI_COMM_SELF;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &comms[3]);
  MPI_Op_create(first, 1, &ops[1]);
  MPI_Op_create(first, 0, &ops[2]);
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k)
      for (int ints = 1; ints <= bytes / 4; ints *= 64)
        reduce_all((int*)from, (int*)to, counts, ints, ops[k], comms[i]);
    MPI_Barrier(comms[i]);
    MPI_Bcast(to, bytes, MPI_BYTE, 0, comms[i]);
    MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comms[i]);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, to, bytes, MPI_BYTE, comms[i]);
    MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, comms[i]);
    MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, comms[i]);
  }
  if (ranks > 1) {
    MPI_Comm between;
    MPI_Intercomm_create(comms[2], 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
    MPI_Barrier(between);
    MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, between);
    MPI_Allreduce(from, to, bytes / 4, MPI_INT, MPI_SUM, between);
    MPI_Comm_free(&between);
  }
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 1; i + 1 < argc; i += 2) {
    const char* operation = argv[i];
    const int bytes = atoi(argv[i + 1]), ints = bytes / 4;
    char *from = calloc(ranks + 1, bytes), *to = calloc(ranks + 1, bytes);
    int* counts = calloc(ranks, sizeof *counts);
    for (int k = 0; k < ranks; ++k)
      counts[k] = ints / ranks + (k < ints % ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    fprintf(stderr, "rank %d: %s %d\n", rank, operation, bytes);
    if (!strcmp(operation, "allreduce"))
      MPI_Allreduce(from, to, ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(operation, "reduce"))
      MPI_Reduce(from, to, ints, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else if (!strcmp(operation, "bcast"))
      MPI_Bcast(from, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(operation, "allgather"))
      MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else if (!strcmp(operation, "allgatherv")) {
      int* places = calloc(ranks, sizeof *places);
      for (int k = 0; k < ranks; ++k) {
        counts[k] = bytes;
        places[k] = k * bytes;
      }
      MPI_Allgatherv(from, bytes, MPI_BYTE, to, counts, places, MPI_BYTE, MPI_COMM_WORLD);
      free(places);
    } else if (!strcmp(operation, "alltoall"))
      MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else if (!strcmp(operation, "gather"))
      MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(operation, "scatter"))
      MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(operation, "reduce-scatter"))
      MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(operation, "others"))
      others(from, to, counts, bytes);
    else if (!strcmp(operation, "barrier"))
      MPI_Barrier(MPI_COMM_WORLD);
    else if (strcmp(operation, "none"))
      return 1;
    fprintf(stderr, "rank %d: done\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    free(from);
    free(to);
    free(counts);
  }
  MPI_Finalize();
  return 0;
}
