// Adds PAYDESK_TEST_SHIFT_SECONDS to the time of day and to the times of files, in each program that preloads this library (other-date.ts). Durations,
// which programs measure with the monotonic clock, stay as they are.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#define NEXT(name) static __typeof__(name) *next; if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static long shift(void) {
  static long seconds;
  static int known;
  if (!known) {
    const char *text = getenv("PAYDESK_TEST_SHIFT_SECONDS");
    seconds = text ? atol(text) : 0;
    known = 1;
  }
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  NEXT(clock_gettime);
  int result = next(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  NEXT(gettimeofday);
  int result = next(now, zone);
  if (result == 0) now->tv_sec += shift();
  return result;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}

// Node reads the times of files by statx, without a function of the C library.
long syscall(long number, ...) {
  NEXT(syscall);
  long given[6];
  va_list values;
  va_start(values, number);
  for (int i = 0; i < 6; i++) given[i] = va_arg(values, long);
  va_end(values);
  long result = next(number, given[0], given[1], given[2], given[3], given[4], given[5]);
  if (number == SYS_statx && result == 0) {
    struct statx *file = (struct statx *)given[4];
    struct statx_timestamp *times[] = {&file->stx_atime, &file->stx_btime, &file->stx_ctime, &file->stx_mtime};
    for (int i = 0; i < 4; i++) times[i]->tv_sec += shift();
  }
  return result;
}

// A program that sets the times of a file reads the same times again.
static const struct timespec *unshifted(const struct timespec given[2], struct timespec times[2]) {
  if (!given) return NULL;
  for (int i = 0; i < 2; i++) {
    times[i] = given[i];
    if (given[i].tv_nsec != UTIME_NOW && given[i].tv_nsec != UTIME_OMIT) times[i].tv_sec -= shift();
  }
  return times;
}

int utimensat(int folder, const char *path, const struct timespec given[2], int flags) {
  NEXT(utimensat);
  struct timespec times[2];
  return next(folder, path, unshifted(given, times), flags);
}

int futimens(int file, const struct timespec given[2]) {
  NEXT(futimens);
  struct timespec times[2];
  return next(file, unshifted(given, times));
}
