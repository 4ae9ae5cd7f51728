/* What the recorder has to understand, a case each: cases CASE. Any number of ranks from 4 on that is even. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank, ranks;

/* Rows of a grid that does not close, so its ends talk to MPI_PROC_NULL. */
static void halo(void) {
  MPI_Comm grid;
  MPI_Datatype column;
  int extents[2] = {0, 0}, periods[2] = {0, 0}, up, down, left, right;
  double field[10][12];
  memset(field, 0, sizeof field);
  MPI_Dims_create(ranks, 2, extents);
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  MPI_Type_vector(10, 1, 12, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int step = 0; step < 5; ++step) {
    double sum = 0, all = 0;
    MPI_Sendrecv(field[1], 12, MPI_DOUBLE, up, 1, field[9], 12, MPI_DOUBLE, down, 1, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(field[8], 12, MPI_DOUBLE, down, 2, field[0], 12, MPI_DOUBLE, up, 2, grid, MPI_STATUS_IGNORE);
    MPI_Request requests[4];
    MPI_Irecv(&field[0][0], 1, column, left, 3, grid, &requests[0]);
    MPI_Irecv(&field[0][11], 1, column, right, 4, grid, &requests[1]);
    MPI_Isend(&field[0][1], 1, column, left, 4, grid, &requests[2]);
    MPI_Isend(&field[0][10], 1, column, right, 3, grid, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
  }
  MPI_Type_free(&column);
  MPI_Comm_free(&grid);
}

/* Transposes in rows and columns of ranks, as a Fourier transform in two dimensions of processes. */
static void transpose(void) {
  MPI_Comm row, column, copy;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &column); /* the last one is rank 0 */
  MPI_Comm_dup(row, &copy);
  int width, height;
  MPI_Comm_size(row, &width);
  MPI_Comm_size(column, &height);
  int *data = calloc((size_t)ranks * 1000, sizeof *data), *into = calloc((size_t)ranks * 1000, sizeof *into);
  int counts[ranks], shifts[ranks], into_counts[ranks];
  int me;
  MPI_Comm_rank(column, &me);
  for (int i = 0; i < height; ++i) {
    counts[i] = 10 * (me + 1) + i;
    into_counts[i] = 10 * (i + 1) + me;
    shifts[i] = 500 * i;
  }
  for (int step = 0; step < 3; ++step) {
    MPI_Alltoall(data, 100, MPI_INT, into, 100, MPI_INT, row);
    MPI_Alltoallv(data, counts, shifts, MPI_INT, into, into_counts, shifts, MPI_INT, column);
    MPI_Bcast(data, 30, MPI_INT, width - 1, copy);
  }
  MPI_Send(data, 5, MPI_INT, (rank + 1) % ranks, 9, MPI_COMM_WORLD); /* the same tag in two communicators */
  MPI_Send(data, 7, MPI_INT, width - 1, 9, copy);
  if (rank % 2 == 1)
    for (int i = 0; i < width; ++i)
      MPI_Recv(into, 10, MPI_INT, MPI_ANY_SOURCE, 9, copy, MPI_STATUS_IGNORE);
  MPI_Recv(into, 10, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&row);
  MPI_Comm_free(&column);
  free(data);
  free(into);
}

static void persistent(void) {
  char out[2000] = {0}, in[2000];
  MPI_Request requests[3];
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  MPI_Send_init(out, 2000, MPI_CHAR, next, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 2000, MPI_CHAR, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv_init(in, 1, MPI_CHAR, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[2]);
  for (int step = 0; step < 4; ++step) {
    MPI_Startall(3, requests);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Start(&requests[1]);
  MPI_Start(&requests[0]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i)
    MPI_Request_free(&requests[i]);
#if MPI_VERSION >= 4
  MPI_Psend_init(out, 4, 100, MPI_CHAR, next, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(in, 2, 200, MPI_CHAR, previous, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int step = 0; step < 2; ++step) {
    MPI_Startall(2, requests);
    MPI_Pready_range(0, 2, requests[0]);
    MPI_Pready(3, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Allreduce_init(MPI_IN_PLACE, in, 9, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Start(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[0]);
#else
  (void)previous;
#endif
}

static void collectives(void) {
  int counts[ranks], shifts[ranks], all = 0;
  for (int i = 0; i < ranks; ++i) {
    counts[i] = 3 * i + 1;
    shifts[i] = all;
    all += counts[i];
  }
  double *data = calloc((size_t)(all + ranks) * 100, sizeof *data),
         *into = calloc((size_t)(all + ranks) * 100, sizeof *into);
  MPI_Request requests[3];
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(data, into, 50, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Ibcast(data + 60, 20, MPI_DOUBLE, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  int flag = 0;
  while (!flag)
    MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
  MPI_Gatherv(data, counts[rank], MPI_DOUBLE, into, counts, shifts, MPI_DOUBLE, 2, MPI_COMM_WORLD);
  MPI_Scatterv(data, counts, shifts, MPI_DOUBLE, into, counts[rank], MPI_DOUBLE, 1, MPI_COMM_WORLD);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, into, counts, shifts, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : data, 4, MPI_DOUBLE, into, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Scatter(data, 4, MPI_DOUBLE, rank == 3 ? MPI_IN_PLACE : into, 4, MPI_DOUBLE, 3, MPI_COMM_WORLD);
  MPI_Allgather(data, 2, MPI_DOUBLE, into, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Reduce(data, into, 7, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Reduce_scatter(data, into, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(data, into, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(data, into, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(data, into, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Datatype types[ranks];
  int bytes[ranks];
  for (int i = 0; i < ranks; ++i) {
    types[i] = MPI_DOUBLE;
    counts[i] = 2;
    bytes[i] = 16 * i;
  }
  MPI_Alltoallw(data, counts, bytes, types, into, counts, bytes, types, MPI_COMM_WORLD);
  free(data);
  free(into);
}

/* Ends of requests in the order in which they come, and receives that name nobody. */
static void completion(void) {
  enum { many = 12 };
  int out[many][100], in[many][100], left = many;
  MPI_Request sends[many], receives[many];
  for (int i = 0; i < many; ++i) {
    MPI_Irecv(in[i], 100, MPI_INT, i % 3 == 0 ? MPI_ANY_SOURCE : (rank + ranks - 1) % ranks,
              i % 3 == 0 ? MPI_ANY_TAG : 50 + i, MPI_COMM_WORLD, &receives[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < many; ++i)
    MPI_Isend(out[i], 9 * i, MPI_INT, (rank + 1) % ranks, 50 + i, MPI_COMM_WORLD, &sends[i]);
  while (left > 0) {
    int found, indices[many];
    MPI_Waitsome(many, receives, &found, indices, MPI_STATUSES_IGNORE);
    left -= found;
  }
  for (int i = 0; i < many; ++i) {
    int index;
    MPI_Waitany(many, sends, &index, MPI_STATUS_IGNORE);
  }
  const int to = rank ^ 1;
  if (rank % 2 == 0) {
    usleep(20000);
    MPI_Ssend(out, 30, MPI_INT, to, 1, MPI_COMM_WORLD);
    MPI_Send(out, 40, MPI_INT, to, 2, MPI_COMM_WORLD);
    MPI_Send(out, 50, MPI_INT, to, 3, MPI_COMM_WORLD);
  } else {
    int flag = 0;
    MPI_Status status;
    MPI_Message message;
    MPI_Request cancelled, request;
    MPI_Irecv(in, 1, MPI_INT, to, 77, MPI_COMM_WORLD, &cancelled);
    while (!flag) /* waiting, not work */
      MPI_Iprobe(to, 1, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(in, 100, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &message, &status);
    MPI_Imrecv(in, 100, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Probe(to, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, 100, MPI_INT, to, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Cancel(&cancelled);
    MPI_Wait(&cancelled, MPI_STATUS_IGNORE);
  }
  char* buffer = malloc(10000 + MPI_BSEND_OVERHEAD);
  int size;
  MPI_Buffer_attach(buffer, 10000 + MPI_BSEND_OVERHEAD);
  MPI_Bsend(out, 60, MPI_INT, to, 4, MPI_COMM_WORLD);
  MPI_Recv(in, 100, MPI_INT, to, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
}

static void onesided(void) {
  double *memory, value = 1, got = 0;
  MPI_Win win;
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  MPI_Win_allocate(1000 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  double buffer[1000] = {0};
  MPI_Win_fence(0, win);
  MPI_Put(buffer, 100, MPI_DOUBLE, next, 0, 100, MPI_DOUBLE, win);
  MPI_Get(buffer + 500, 50, MPI_DOUBLE, previous, 200, 50, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(buffer, 30, MPI_DOUBLE, next, 0, 30, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Put(buffer, 20, MPI_DOUBLE, 0, 300, 20, MPI_DOUBLE, win);
  MPI_Win_unlock(0, win);
  MPI_Win_lock_all(0, win);
  MPI_Fetch_and_op(&value, &got, MPI_DOUBLE, next, 999, MPI_SUM, win);
  MPI_Win_flush(next, win);
  MPI_Request request;
  MPI_Rput(buffer, 10, MPI_DOUBLE, previous, 600, 10, MPI_DOUBLE, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Group world, to, from;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &next, &to);
  MPI_Group_incl(world, 1, &previous, &from);
  MPI_Win_post(from, 0, win);
  MPI_Win_start(to, 0, win);
  MPI_Put(buffer, 40, MPI_DOUBLE, next, 0, 40, MPI_DOUBLE, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&to);
  MPI_Group_free(&from);
  MPI_Group_free(&world);
  MPI_Win_free(&win);
}

static void groups(void) {
  MPI_Comm half, between, merged, graph, ring, copy, some;
  MPI_Group world, evens;
  MPI_Request request;
  const int side = rank < ranks / 2 ? 0 : 1;
  double data[1000] = {0}, into[1000];
  MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side == 0 ? ranks / 2 : 0, 3, &between);
  MPI_Sendrecv(data, 8, MPI_DOUBLE, rank % (ranks / 2), 1, into, 8, MPI_DOUBLE, rank % (ranks / 2), 1, between,
               MPI_STATUS_IGNORE);
  MPI_Bcast(data, 9, MPI_DOUBLE, side == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
  MPI_Allreduce(data, into, 10, MPI_DOUBLE, MPI_SUM, between);
  MPI_Intercomm_merge(between, side, &merged);
  MPI_Barrier(merged);
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 0, &graph);
  MPI_Neighbor_allgather(data, 11, MPI_DOUBLE, into, 11, MPI_DOUBLE, graph);
  const int periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, periods, 0, &ring);
  MPI_Ineighbor_alltoall(data, 12, MPI_DOUBLE, into, 12, MPI_DOUBLE, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_idup(ring, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(data, into, 13, MPI_DOUBLE, MPI_SUM, copy);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int members[ranks / 2];
  for (int i = 0; i < ranks / 2; ++i)
    members[i] = 2 * i;
  MPI_Group_incl(world, ranks / 2, members, &evens);
  MPI_Comm_create(MPI_COMM_WORLD, evens, &some);
  if (some != MPI_COMM_NULL) {
    MPI_Reduce(data, into, 14, MPI_DOUBLE, MPI_SUM, 1, some);
    MPI_Comm_free(&some);
  }
  if (rank % 2 == 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, evens, 5, &some);
    MPI_Barrier(some);
    MPI_Comm_free(&some);
  }
  MPI_Allreduce(data, into, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
  MPI_File file;
  char name[] = "/tmp/kakehashi-record-XXXXXX";
  close(mkstemp(name));
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_write(file, data, 1000, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

/* 100 thousand calls a second, on which no rank waits for another, so that processor time is what they take
   (tools/bench/recording-cost). */
static void rate(int calls) {
  enum { calls_at_once = 3 };
  char byte = 0, other = 0;
  volatile double value = 1;
  struct timespec begin, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (int i = 0; i < calls / calls_at_once; ++i) {
    MPI_Request requests[2];
    for (int step = 0; step < 8900; ++step)
      value = value * 1.0000001;
    MPI_Irecv(&other, 1, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&byte, 1, MPI_CHAR, rank, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  if (rank == 0)
    printf("%.6f\n", (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
}

/* Other forms of the same. */
static void others(void) {
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  int in[4], out = rank, index, flag, count, which[2], left;
  MPI_Request requests[2];
  MPI_Irecv(in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, requests);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(&out, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 4, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(in + 1, 2, MPI_INT, to, 2, MPI_COMM_WORLD, &requests[1]);
  for (left = 2; left > 0; left -= flag)
    MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 4, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irsend(&out, 0, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(in + 1, 3, MPI_INT, to, 3, MPI_COMM_WORLD);
  for (left = 2; left > 0; left -= count)
    MPI_Testsome(2, requests, &count, which, MPI_STATUSES_IGNORE);
#if MPI_VERSION >= 4
  MPI_Isendrecv(&out, 1, MPI_INT, to, 4, in, 1, MPI_INT, from, 4, MPI_COMM_WORLD, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  MPI_Send_c(&out, 1, MPI_INT, rank ^ 1, 5, MPI_COMM_WORLD);
  MPI_Recv_c(in, 1, MPI_INT, rank ^ 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Comm grid, row, graph, node;
  const int sides[] = {2, ranks / 2}, closed[] = {1, 1}, kept[] = {0, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 2, sides, closed, 0, &grid);
  MPI_Cart_sub(grid, kept, &row);
  MPI_Allreduce(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_SUM, row);
  int ends[64], edges[64];
  for (int i = 0; i < ranks; ++i) {
    ends[i] = i + 1;
    edges[i] = i ^ 1;
  }
  MPI_Graph_create(MPI_COMM_WORLD, ranks, ends, edges, 0, &graph);
  MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, graph);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Bcast(in, 3, MPI_INT, 1, node);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&node);
}

/* A second thread calls MPI, too: while the first one waits for its end, or while that is in a call. */
static void* other_thread(void* tag) {
  int out = rank, in;
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  for (int i = 0; i < 10; ++i)
    MPI_Sendrecv(&out, 1, MPI_INT, to, *(int*)tag, &in, 1, MPI_INT, from, *(int*)tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  usleep(20000);
  MPI_Send(&out, 1, MPI_INT, to, *(int*)tag + 1, MPI_COMM_WORLD);
  return NULL;
}
static void threads(int is_beside) {
  pthread_t other;
  int tag = 3, in;
  const int from = (rank + ranks - 1) % ranks;
  pthread_create(&other, NULL, other_thread, &tag);
  if (!is_beside)
    pthread_join(other, NULL);
  MPI_Recv(&in, 1, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is_beside)
    pthread_join(other, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Work of a thread that does not call MPI. */
static void* work_of_other(void* none) {
  volatile double value = 1;
  for (int i = 0; i < 30000000; ++i)
    value = value * 1.0000001;
  return none;
}
static void hybrid(void) {
  pthread_t other;
  pthread_create(&other, NULL, work_of_other, NULL);
  pthread_join(other, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void crash(const char* how) {
  int value = rank, never;
  MPI_Request open;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 1 && strcmp(how, "abort") == 0) {
    MPI_Irecv(&never, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &open);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  if (rank == 1 && strcmp(how, "segv") == 0)
    raise(SIGSEGV);
  if (strcmp(how, "kill") == 0 || strcmp(how, "limit") == 0) {
    const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    for (int i = 0; i < 10; ++i)
      MPI_Sendrecv(&value, 1, MPI_INT, to, 7, &never, 1, MPI_INT, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1 && strcmp(how, "kill") == 0)
      raise(SIGKILL);
    if (strcmp(how, "limit") == 0) { /* whoever sees these files ends it while the others wait for rank 1 */
      char name[] = "there-0";
      name[6] += rank;
      fclose(fopen(name, "w"));
    }
    if (rank == 1)
      sleep(100);
  }
  if (rank == 1 && strcmp(how, "exit") == 0)
    exit(4);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Regions by MPI_Pcontrol, and by a marker of Caliper's if somebody has it. Other calls of Pcontrol name none. */
void cali_begin_region(const char* name) __attribute__((weak));
void cali_end_region(const char* name) __attribute__((weak));
static __attribute__((noinline)) void agree(void) {
  double one = 1, sum;
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}
static __attribute__((noinline)) void regions(void) {
  agree();
  for (int step = 0; step < 3; ++step) {
    if (cali_begin_region)
      cali_begin_region("step");
    MPI_Pcontrol(1, "solve");
    usleep(1000);
    agree();
    MPI_Pcontrol(-1, "solve");
    MPI_Barrier(MPI_COMM_WORLD);
    if (cali_end_region)
      cali_end_region("step");
  }
  MPI_Pcontrol(0);
  MPI_Pcontrol(2, 17);
  agree();
}

/* Messages inside a region, and from one to another. */
static void parts(void) {
  static char out[700], in[700];
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  MPI_Request request;
  MPI_Pcontrol(1, "left");
  MPI_Isend(out, 300, MPI_CHAR, next, 0, MPI_COMM_WORLD, &request);
  MPI_Pcontrol(-1, "left");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1, "ring");
  for (int i = 0; i < 5; ++i)
    MPI_Sendrecv(out, 700, MPI_CHAR, next, 1, in, 700, MPI_CHAR, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Pcontrol(-1, "ring");
  MPI_Pcontrol(1, "right");
  MPI_Recv(in, 300, MPI_CHAR, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Pcontrol(-1, "right");
}

int main(int count, char** words) {
  const char* which = count > 1 ? words[1] : "all";
  int level = MPI_THREAD_SINGLE;
  if (strcmp(which, "serialized") == 0 || strcmp(which, "multiple") == 0)
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &level);
  else
    MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"halo", halo},
               {"transpose", transpose},
               {"persistent", persistent},
               {"collectives", collectives},
               {"completion", completion},
               {"onesided", onesided},
               {"groups", groups},
               {"others", others}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (strcmp(which, cases[i].name) == 0 || strcmp(which, "all") == 0)
      cases[i].run();
  if (strcmp(which, "rate") == 0)
    rate(atoi(words[2]));
  if (level == MPI_THREAD_MULTIPLE)
    threads(strcmp(which, "multiple") == 0);
  if (strcmp(which, "hybrid") == 0)
    hybrid();
  if (strcmp(which, "regions") == 0)
    regions();
  if (strcmp(which, "parts") == 0)
    parts();
  if (strcmp(which, "crash") == 0)
    crash(words[2]);
  MPI_Finalize();
  return 0;
}
