/* A field in slices, one a rank, whose waves run on: in each step a rank needs the edges of both neighbours. With "chain" it
   takes from the left before it gives to the right, so that each rank waits for the one before; with "exchange" both at once.
   mpicc -O2 waves.c -o waves */
#include <mpi.h>
#include <string.h>

enum { points = 20000, edge = 2000, steps = 30 };
static double field[points], other[points], left[edge], right[edge];

static void move_on(void) {
  for (int i = 1; i < points - 1; ++i)
    other[i] = field[i] + 0.2 * (field[i - 1] - 2 * field[i] + field[i + 1]);
  memcpy(field, other, sizeof field);
}

int main(int count, char **words) {
  int rank, ranks;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  for (int step = 0; step < steps; ++step) {
    if (count > 1 && strcmp(words[1], "chain") == 0) {
      MPI_Recv(left, edge, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(field + points - edge, edge, MPI_DOUBLE, after, 1, MPI_COMM_WORLD);
      MPI_Recv(right, edge, MPI_DOUBLE, after, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(field, edge, MPI_DOUBLE, before, 2, MPI_COMM_WORLD);
    } else {
      MPI_Sendrecv(field + points - edge, edge, MPI_DOUBLE, after, 1, left, edge, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      MPI_Sendrecv(field, edge, MPI_DOUBLE, before, 2, right, edge, MPI_DOUBLE, after, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int again = 0; again < 2; ++again)
      move_on();
    double largest = field[points / 2], of_all;
    MPI_Allreduce(&largest, &of_all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
