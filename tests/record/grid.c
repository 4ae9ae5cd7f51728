// Ranks on a grid of three axes that is as cubic as can be: faces to their neighbours, lines and planes that add up,
// and an Allgatherv in which ends of the grid have less. grid.c HOW: weak (faces stay), strong (they shrink), ring
// (across the ends, too), halved (numbered as halving the grid does), solve (more steps on more ranks, and one more sum
// in every fifth), far (a message to a rank that is no neighbour), or unlike (a rank inside that does more).
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int side, is_halved;

static int rank_of(const int* place) {
  int rank = 0;
  if (!is_halved)
    return place[0] + side * (place[1] + side * place[2]);
  for (int bit = 0; 1 << bit < side * side * side; ++bit)
    rank |= (place[bit % 3] >> (bit / 3) & 1) << bit;
  return rank;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* how = argc > 1 ? argv[1] : "weak";
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (side * side * side < ranks)
    ++side;
  is_halved = !strcmp(how, "halved");
  int place[3], own[3] = {0, 0, 0};
  for (place[2] = 0; place[2] < side; ++place[2])
    for (place[1] = 0; place[1] < side; ++place[1])
      for (place[0] = 0; place[0] < side; ++place[0])
        if (rank_of(place) == rank)
          memcpy(own, place, sizeof own);

  MPI_Comm line, plane;
  MPI_Comm_split(MPI_COMM_WORLD, own[1] + side * own[2], rank, &line);
  MPI_Comm_split(MPI_COMM_WORLD, own[2], rank, &plane);
  const int face = !strcmp(how, "strong") ? 16 * 144 * 144 / (side * side) : 14400;
  char *out = calloc(1, 1 << 20), *in = calloc(12, 1 << 20);
  int counts[512], begins[512];
  for (place[2] = 0; place[2] < side; ++place[2])
    for (place[1] = 0; place[1] < side; ++place[1])
      for (place[0] = 0; place[0] < side; ++place[0])
        counts[rank_of(place)] = place[0] == 0 || place[0] == side - 1 ? 100 : 300;
  for (int i = 0; i < ranks; ++i)
    begins[i] = i > 0 ? begins[i - 1] + counts[i - 1] : 0;

  const int steps = !strcmp(how, "solve") ? 5 * side : 3;
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[12];
    int count = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int way = -1; way <= 1; way += 2) {
        memcpy(place, own, sizeof place);
        place[axis] += way;
        if (!strcmp(how, "ring"))
          place[axis] = (place[axis] + side) % side;
        if (place[axis] < 0 || place[axis] >= side)
          continue;
        MPI_Irecv(in + (count << 20), 1 << 20, MPI_CHAR, rank_of(place), 3 - way, MPI_COMM_WORLD, &requests[count]),
            ++count;
        MPI_Isend(out, face + 100 * axis, MPI_CHAR, rank_of(place), 3 + way, MPI_COMM_WORLD, &requests[count]), ++count;
      }
    usleep(!strcmp(how, "strong") ? 1280000 / ranks : !strcmp(how, "solve") ? 2000 : 20000);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    if (!strcmp(how, "far")) {
      memcpy(place, own, sizeof place);
      place[0] ^= 2;
      MPI_Sendrecv(out, 10, MPI_CHAR, rank_of(place), 9, in, 10, MPI_CHAR, rank_of(place), 9, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
    if (!strcmp(how, "unlike") && own[0] == 1 && own[1] == 1 && own[2] == 1)
      MPI_Sendrecv(out, 10, MPI_CHAR, rank, 9, in, 10, MPI_CHAR, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(out, in, 8, MPI_DOUBLE, MPI_SUM, line);
    MPI_Bcast(out, 500, MPI_CHAR, side * side - 1, plane);
    MPI_Allgatherv(out, counts[rank], MPI_CHAR, in, counts, begins, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (!strcmp(how, "solve") && step % 5 == 4)
      MPI_Allreduce(out, in, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
