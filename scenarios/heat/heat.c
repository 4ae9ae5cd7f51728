/* Heat that spreads through a rod, which the ranks share: an example of an application to record. Each step exchanges the
   ends of a rank's part with its neighbours; every ten steps all ranks agree on how much has changed. */
#include <mpi.h>
#include <stdlib.h>

enum { points = 20000, steps = 50 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;

  double* now = calloc(points + 2, sizeof *now);
  double* next = calloc(points + 2, sizeof *next);
  double start = 100;
  MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    now[0] = next[0] = start;

  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[4];
    int count = 0;
    if (left != MPI_PROC_NULL) {
      MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[count++]);
      MPI_Isend(&now[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[count++]);
    }
    if (right != MPI_PROC_NULL) {
      MPI_Irecv(&now[points + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[count++]);
      MPI_Isend(&now[points], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[count++]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);

    double change = 0;
    for (int i = 1; i <= points; ++i) {
      next[i] = (now[i - 1] + 2 * now[i] + now[i + 1]) / 4;
      change += next[i] > now[i] ? next[i] - now[i] : now[i] - next[i];
    }
    double* last = now;
    now = next;
    next = last;
    if (step % 10 == 9) {
      double all = 0;
      MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  double* rod = rank == 0 ? malloc((size_t)ranks * points * sizeof *rod) : NULL;
  MPI_Gather(&now[1], points, MPI_DOUBLE, rod, points, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(rod);
  free(now);
  free(next);
  MPI_Finalize();
  return 0;
}
