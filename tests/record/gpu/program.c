/* Two ranks that use the GPU of standin.c. Usage: program overlap|default|many|thread|kill. Each prints how long it
 * took and how long its own code ran or slept, in us by the GPU's clock, and how often it asked for an event too soon.
 */
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
static int rank, asked_too_soon;
static uint64_t own_code;

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
  uint64_t begin = standin_now();
  launch(120 * millisecond, one);
  launch(180 * millisecond, two);
  usleep(150000);
  own_code += standin_now() - begin;
  MPI_Sendrecv(&sent, 1, MPI_DOUBLE, 1 - rank, 0, &got, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  cudaStreamSynchronize(one);
  MPI_Barrier(MPI_COMM_WORLD);
  cudaDeviceSynchronize();
  cudaMemcpy(&got, &sent, 30 * millisecond, 1);
  begin = standin_now();
  launch(90 * millisecond, one);
  cudaEventRecord(first, one);
  cudaStreamWaitEvent(two, first, 0);
  cudaMemsetAsync(&got, 0, 60 * millisecond, two);
  cudaEventRecord(second, two);
  asked_too_soon += cudaEventQuery(second) != 0;
  own_code += standin_now() - begin;
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
  const uint64_t begin = standin_now();
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  own_code += standin_now() - begin;
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
  if (strcmp(words[1], "overlap") != 0)
    own_code += standin_now() - start;
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
  printf("rank %d took %.3f us, own code %.3f us, too soon %d\n", rank, (double)(standin_now() - start) / 1.05 / 1000,
         (double)own_code / 1.05 / 1000, asked_too_soon);
  MPI_Finalize();
  return 0;
}
