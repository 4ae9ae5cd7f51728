/* Wrappers around MPI's functions. Each has both names, MPI_ and PMPI_, since Fortran's bindings call the one or the
 * other, by the library. */
#ifndef KAKEHASHI_WRAP_H
#define KAKEHASHI_WRAP_H

#include "tables.h"

#define STRIP(...) __VA_ARGS__
#define CAT(a, b) CAT_(a, b)
#define CAT_(a, b) a##b
#define TEXT(a) TEXT_(a)
#define TEXT_(a) #a

/* Calls reach a wrapper by a jump, so that they can pass it by unchanged: its types are those of one library. */
#if defined(__x86_64__)
#define JUMP(name) "jmp *real_" #name "+16(%rip)"
#elif defined(__aarch64__)
#define JUMP(name) "adrp x16, real_" #name "+16\n ldr x16, [x16, :lo12:real_" #name "+16]\n br x16"
#endif
_Static_assert(offsetof(struct real, wrapper) == 16, "where jumps find it");

#define WRAP(name, params) WRAP_(name, params)
#ifdef JUMP
#define ENTRY(name) ".globl " name "\n.type " name ", @function\n" name ":\n"
#define WRAP_(name, params)                                                                                            \
  static int wrapped_##name params;                                                                                    \
  KEEP_REAL_(name, (void*)wrapped_##name);                                                                             \
  __asm__(".text\n" ENTRY("MPI_" #name) ENTRY("PMPI_" #name) JUMP(name));                                              \
  static int wrapped_##name params
#else
#define WRAP_(name, params)                                                                                            \
  KEEP_REAL(name);                                                                                                     \
  int PMPI_##name params __attribute__((alias("MPI_" #name)));                                                         \
  int MPI_##name params
#endif

/* before: saves what the call itself would destroy. The last arguments record a call that succeeded. */
#define ANY_CALL(name, params, args, is_poll, before, ...)                                                             \
  WRAP(name, params) {                                                                                                 \
    before;                                                                                                            \
    if (!enter("MPI_" TEXT(name), &CAT(real_, name), __builtin_return_address(0)))                                     \
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
/* Calls whose time is recorded, and nothing else. */
#define TIMED(name, params, args) CALL(name, params, args, , begin_record(k_elapsed), end_record())
#define UNRECORDED(name, params, args)                                                                                 \
  CALL(name, params, args, , count_unrecorded("MPI_" #name), begin_record(k_elapsed), end_record())

/* Gives MPI a status of our own where the program wants none. */
#define OWN_STATUS                                                                                                     \
  MPI_Status own_status;                                                                                               \
  if (status == MPI_STATUS_IGNORE)                                                                                     \
  status = &own_status

#endif
