/* Two ranks that use the GPU of standin.c. Usage: program overlap|default|many|thread|kill. Rank 0 prints how long it
 * took, in us by the GPU's clock. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct size {
  unsigned x, y, z;
};
typedef struct stream stream;
typedef struct event event;
uint64_t standin_now(void);
int cudaStreamCreate(stream**);
int cudaEventCreate(event**);
int cudaLaunchKernel(const void*, struct size, struct size, void**, size_t, stream*);
int cudaMemcpy(void*, const void*, size_t, int);
int cudaMemsetAsync(void*, int, size_t, stream*);
int cudaDeviceSynchronize(void);
int cudaStreamSynchronize(stream*);
int cudaEventRecord(event*, stream*);
int cudaStreamWaitEvent(stream*, event*, unsigned);
int cudaEventQuery(event*);
int cudaEventSynchronize(event*);

enum { millisecond = 1000000 };
static int rank;

static void launch(uint64_t time, stream* on) {
  void* arguments[] = {&time};
  cudaLaunchKernel(NULL, (struct size){1, 1, 1}, (struct size){1, 1, 1}, arguments, 0, on);
}

/* 180 ms of two kernels side by side and 150 ms of the host beside them; a copy of 30 ms; 90 + 60 ms in turn on two
 * streams. */
static void overlap(stream* one, stream* two) {
  event *first, *second;
  double sent = 1, got;
  cudaEventCreate(&first);
  cudaEventCreate(&second);
  launch(120 * millisecond, one);
  launch(180 * millisecond, two);
  usleep(150000);
  MPI_Sendrecv(&sent, 1, MPI_DOUBLE, 1 - rank, 0, &got, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  cudaStreamSynchronize(one);
  MPI_Barrier(MPI_COMM_WORLD);
  cudaDeviceSynchronize();
  cudaMemcpy(&got, &sent, 30 * millisecond, 1);
  launch(90 * millisecond, one);
  cudaEventRecord(first, one);
  cudaStreamWaitEvent(two, first, 0);
  cudaMemsetAsync(&got, 0, 60 * millisecond, two);
  cudaEventRecord(second, two);
  cudaEventQuery(second);
  cudaEventSynchronize(second);
}

static void* in_thread(void* on) {
  launch(millisecond, on);
  cudaStreamSynchronize(on);
  return NULL;
}

int main(int count, char** words) {
  stream *one, *two;
  pthread_t thread;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  MPI_Barrier(MPI_COMM_WORLD);
  const uint64_t start = standin_now();
  if (strcmp(words[1], "overlap") == 0)
    overlap(one, two);
  if (strcmp(words[1], "default") == 0) {
    launch(150 * millisecond, one);
    launch(90 * millisecond, NULL);
  }
  for (int i = 0; i < 3000 && strcmp(words[1], "many") == 0; ++i)
    launch(20000, one);
  if (strcmp(words[1], "kill") == 0) {
    launch(millisecond, one);
    MPI_Barrier(MPI_COMM_WORLD);
    raise(SIGKILL);
  }
  if (strcmp(words[1], "thread") == 0) {
    pthread_create(&thread, NULL, in_thread, one);
    pthread_join(thread, NULL);
  }
  cudaDeviceSynchronize();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    printf("took %.3f us\n", (double)(standin_now() - start) / 1.05 / 1000);
  MPI_Finalize();
  return 0;
}
