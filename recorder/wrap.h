/* Functions that stand before MPI's own. Both names of each are taken: Fortran calls the one or the other, by the
 * library. */
#ifndef KAKEHASHI_WRAP_H
#define KAKEHASHI_WRAP_H

#include "tables.h"

#define STRIP(...) __VA_ARGS__
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define TEXT(a) TEXT_(a)
#define TEXT_(a) #a

#define WRAP(name, params) WRAP_(name, params)
#define WRAP_(name, params)                                                                                            \
  KEEP_REAL(name);                                                                                                     \
  int PMPI_##name params __attribute__((alias("MPI_" #name)));                                                         \
  int MPI_##name params

/* before: what the call itself would destroy. after: what to record of a call that succeeded. */
#define ANY_CALL(name, params, args, is_poll, before, ...)                                                             \
  WRAP(name, params) {                                                                                                 \
    before;                                                                                                            \
    if (!enter("MPI_" TEXT(name), &CAT(real_, name)))                                                                  \
      return REAL(name) args;                                                                                          \
    const int code = REAL(name) args;                                                                                  \
    leave(is_poll);                                                                                                    \
    if (code == MPI_SUCCESS) {                                                                                         \
      __VA_ARGS__;                                                                                                     \
    } else {                                                                                                           \
      count_unrecorded("calls that returned an error");                                                                \
    }                                                                                                                  \
    resume();                                                                                                          \
    return code;                                                                                                       \
  }
#define CALL(name, params, args, before, ...) ANY_CALL(name, params, args, 0, before, __VA_ARGS__)
#define POLL(name, params, args, before, ...) ANY_CALL(name, params, args, 1, before, __VA_ARGS__)
/* Time that is not the program's work. */
#define TIMED(name, params, args) CALL(name, params, args, , begin_record(k_elapsed), end_record())
#define UNRECORDED(name, params, args)                                                                                 \
  CALL(name, params, args, , count_unrecorded("MPI_" #name), begin_record(k_elapsed), end_record())

/* A status of our own where the program wants none. */
#define OWN_STATUS                                                                                                     \
  MPI_Status own_status;                                                                                               \
  if (status == MPI_STATUS_IGNORE)                                                                                     \
  status = &own_status

#endif
