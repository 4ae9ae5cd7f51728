// 2^k ranks on a grid of as many rows as columns, or twice as many columns: sums of a row by doubling the distance,
// vectors shared out by halving it, a row's ring, to neighbours and over distances that double, and blocks to the rank
// at the transposed place. doubling.c HOW: alike, or unlike (rank 1 does more).
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, columns = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (columns * columns < ranks)
    columns *= 2;
  const int rows = ranks / columns, wide = columns / rows, column = rank % columns, row = rank / columns;
  const int transposed = (column / wide * rows + row) * wide + column % wide;
  char *out = calloc(1, 1 << 20), *in = calloc(16, 1 << 20);
  for (int step = 0; step < 3; ++step) {
    for (int distance = 1, bytes = 100; distance < columns; distance *= 2, bytes *= 2)
      MPI_Sendrecv(out, bytes, MPI_CHAR, rank ^ distance, 3, in, bytes, MPI_CHAR, rank ^ distance, 3, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    MPI_Request requests[32];
    int count = 0;
    for (int distance = columns / 2, bytes = 65536 / rows, tag = 10; distance > 0; distance /= 2, bytes /= 2, ++tag) {
      MPI_Irecv(in + (count << 19), bytes, MPI_CHAR, rank ^ distance, tag, MPI_COMM_WORLD, &requests[count]), ++count;
      MPI_Isend(out, bytes, MPI_CHAR, rank ^ distance, tag, MPI_COMM_WORLD, &requests[count]), ++count;
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int distance = 1; distance < columns; distance *= 2) {
      const int to = row * columns + (column + columns - distance) % columns,
                from = row * columns + (column + distance) % columns;
      MPI_Sendrecv(out, 50 * distance, MPI_CHAR, to, 5, in, 50 * distance, MPI_CHAR, from, 5, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
    const int next = row * columns + (column + 1) % columns, before = row * columns + (column + columns - 1) % columns;
    MPI_Sendrecv(out, 700, MPI_CHAR, next, 6, in, 700, MPI_CHAR, before, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 65536 / columns, MPI_CHAR, transposed, 4, in, 65536, MPI_CHAR, transposed, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (!strcmp(argv[1], "unlike") && rank == 1)
      MPI_Sendrecv(out, 10, MPI_CHAR, rank, 9, in, 10, MPI_CHAR, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
