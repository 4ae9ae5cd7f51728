/* Calls each operation with each size that the command line lists: OPERATION BYTES… The first rank says so before. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    else if (!strcmp(operation, "alltoall"))
      MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, MPI_COMM_WORLD);
    else if (!strcmp(operation, "gather"))
      MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(operation, "scatter"))
      MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else if (!strcmp(operation, "reduce-scatter"))
      MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    else if (strcmp(operation, "barrier"))
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
