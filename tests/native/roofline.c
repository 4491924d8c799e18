/*
 * What native 128-bit code reaches on this machine, to hold the WebAssembly figures against.
 *
 *   gcc -O2 -march=native -ffp-contract=fast -pthread -o roofline roofline.c && ./roofline
 *
 * Prints one line a figure: name, threads, bytes of the working set over all threads (0: none),
 * and flop/s or byte/s. Bytes are those loaded and stored. Uses GCC's vector types, so that the
 * same source serves x86 and Arm.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef float floats __attribute__((vector_size(16)));
typedef int32_t words __attribute__((vector_size(16)));

enum { CHAINS = 12, STEPS = 4096, MOST_THREADS = 64, REPEATS = 7 };

static const double blockSeconds = 0.3e-3;
static const double repeatSeconds = 12e-3;

/* Operands and results that the compiler must not know. */
static volatile float coefficientA = 0.99912345f;
static volatile float coefficientB = 0.00122717f;
static volatile int32_t sink;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* A thread's part of the data, and what one pass over it does. */
struct share {
  char *base;
  size_t size;
};

typedef void (*kernel)(struct share share, long passes);

static void seed(floats *x) {
  for (int i = 0; i < CHAINS; i++)
    for (int lane = 0; lane < 4; lane++) x[i][lane] = 0.25f + 0.01f * (4 * i + lane);
}

static void reduce(const floats *x) {
  floats sum = {0};
  for (int i = 0; i < CHAINS; i++) sum += x[i];
  sink = (int32_t)sum[0];
}

/* (x + b) * a: two roundings, which no compiler may contract. */
static void multiplyAdd(struct share share, long passes) {
  (void)share;
  floats a = {0}, b = {0}, x[CHAINS];
  a += coefficientA;
  b += coefficientB;
  seed(x);
  for (long n = passes * STEPS; n > 0; n--)
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++) x[i] = (x[i] + b) * a;
  reduce(x);
}

/* x * a + b, contracted by -ffp-contract=fast where the machine has FMA. */
static void fma128(struct share share, long passes) {
  (void)share;
  floats a = {0}, b = {0}, x[CHAINS];
  a += coefficientA;
  b += coefficientB;
  seed(x);
  for (long n = passes * STEPS; n > 0; n--)
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++) x[i] = x[i] * a + b;
  reduce(x);
}

static void readWords(struct share share, long passes) {
  words sums[8] = {{0}};
  while (passes-- > 0)
    for (char *p = share.base; p < share.base + share.size; p += 128)
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) sums[i] += ((words *)p)[i];
  for (int i = 1; i < 8; i++) sums[0] += sums[i];
  sink = sums[0][0];
}

static void writeWords(struct share share, long passes) {
  words value = {1, 2, 3, 4};
  value += sink;
  while (passes-- > 0) {
    value += 1;
    for (char *p = share.base; p < share.base + share.size; p += 128)
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) ((words *)p)[i] = value;
    __asm__ volatile("" ::: "memory");
  }
}

static void copyWords(struct share share, long passes) {
  size_t size = share.size / 2;
  while (passes-- > 0) {
    for (char *p = share.base; p < share.base + size; p += 128)
#pragma GCC unroll 8
      for (int i = 0; i < 8; i++) ((words *)p)[i] = ((words *)(p + size))[i];
    __asm__ volatile("" ::: "memory");
  }
}

static void triad(struct share share, long passes) {
  size_t size = share.size / 3;
  floats scale = {0};
  scale += coefficientA;
  while (passes-- > 0) {
    for (char *p = share.base; p < share.base + size; p += 64)
#pragma GCC unroll 4
      for (int i = 0; i < 4; i++)
        ((floats *)p)[i] = ((floats *)(p + size))[i] + scale * ((floats *)(p + 2 * size))[i];
    __asm__ volatile("" ::: "memory");
  }
}

static void bulkFill(struct share share, long passes) {
  while (passes-- > 0) {
    memset(share.base, 0x3f, share.size);
    __asm__ volatile("" ::: "memory");
  }
}

static void bulkCopy(struct share share, long passes) {
  size_t size = share.size / 2;
  while (passes-- > 0) {
    memcpy(share.base, share.base + size, size);
    __asm__ volatile("" ::: "memory");
  }
}

struct job {
  kernel run;
  struct share share;
  pthread_barrier_t *barrier;
  /* Passes a second, one value a repeat. */
  double rates[REPEATS];
};

static void fillRandom(struct share share) {
  uint32_t x = 0x9e3779b1u;
  for (size_t i = 0; i < share.size / 4; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    ((uint32_t *)share.base)[i] = (x & 0x807fffffu) | 0x3f800000u;
  }
}

static void *work(void *argument) {
  struct job *job = argument;
  fillRandom(job->share);
  long passes = 1;
  for (double took = 0; took < blockSeconds;) {
    double start = now();
    job->run(job->share, passes);
    took = now() - start;
    if (took < blockSeconds) passes *= 2;
  }
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    pthread_barrier_wait(job->barrier);
    double start = now(), end;
    long done = 0;
    do {
      job->run(job->share, passes);
      done += passes;
      end = now();
    } while (end - start < repeatSeconds);
    job->rates[repeat] = done / (end - start);
  }
  return NULL;
}

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

/* Median over the repeats of all threads' passes a second. */
static double passesPerSecond(kernel run, int threads, char *data, size_t shareSize) {
  pthread_t handles[MOST_THREADS];
  struct job jobs[MOST_THREADS];
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, threads);
  for (int i = 0; i < threads; i++) {
    jobs[i] = (struct job){run, {data + i * shareSize, shareSize}, &barrier, {0}};
    pthread_create(&handles[i], NULL, work, &jobs[i]);
  }
  for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
  pthread_barrier_destroy(&barrier);
  double totals[REPEATS] = {0};
  for (int repeat = 0; repeat < REPEATS; repeat++)
    for (int i = 0; i < threads; i++) totals[repeat] += jobs[i].rates[repeat];
  qsort(totals, REPEATS, sizeof totals[0], ascending);
  return totals[REPEATS / 2];
}

int main(void) {
  static const struct {
    const char *name;
    kernel run;
    size_t arrays;
  } streams[] = {{"read", readWords, 1},      {"write", writeWords, 1}, {"copy", copyWords, 2},
                 {"triad", triad, 3},         {"memory.fill", bulkFill, 1},
                 {"memory.copy", bulkCopy, 2}};
  static const size_t sizes[] = {32 << 10, 256 << 10, 4 << 20, 128 << 20};
  const double flopsPerPass = 1.0 * STEPS * CHAINS * 4 * 2;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int all = cores > MOST_THREADS ? MOST_THREADS : (int)cores;
  char *data = aligned_alloc(4096, sizes[3]);
  if (data == NULL) return 1;
  for (int round = 0; round < (all > 1 ? 2 : 1); round++) {
    int threads = round == 0 ? 1 : all;
    printf("multiply+add %d 0 %.4g\n", threads,
           flopsPerPass * passesPerSecond(multiplyAdd, threads, data, 0));
    printf("fma %d 0 %.4g\n", threads, flopsPerPass * passesPerSecond(fma128, threads, data, 0));
    for (size_t s = 0; s < sizeof streams / sizeof streams[0]; s++)
      for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t granule = 128 * streams[s].arrays;
        size_t share = sizes[i] / threads / granule * granule;
        printf("%s %d %zu %.4g\n", streams[s].name, threads, share * threads,
               share * passesPerSecond(streams[s].run, threads, data, share));
      }
  }
  free(data);
  return 0;
}
