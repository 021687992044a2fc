// SPDX-License-Identifier: Apache-2.0
//
// macros: every macro of the interface units. None is visible to a program that imports the module.
#pragma once

// CUDAX_EVERYWHERE_BEGIN ... CUDAX_EVERYWHERE_END
// In a CUDA flavour, every function between them is __host__ __device__. The pragma must follow a declaration: clang
// resets it when it enters the modules imported before, and it enters them at the first declaration.
#if defined(__CUDA__)
#define CUDAX_EVERYWHERE_BEGIN                                                                                         \
  namespace cudax {}                                                                                                   \
  _Pragma("clang force_cuda_host_device begin")
#define CUDAX_EVERYWHERE_END _Pragma("clang force_cuda_host_device end")
#else
#define CUDAX_EVERYWHERE_BEGIN
#define CUDAX_EVERYWHERE_END
#endif

// CUDAX_ON_DEVICE is 1 where the code being compiled will run on a GPU. There is no test for an SM anywhere in
// modules/: one device BMI serves them all.
#if defined(__CUDA_ARCH__)
#define CUDAX_ON_DEVICE 1
#else
#define CUDAX_ON_DEVICE 0
#endif

// CUDAX_REFUSE(condition, sentence) behind a function's parameters refuses calls whose arguments are constants that
// satisfy the condition; what is known only at run time is checked where the order is used.
#define CUDAX_REFUSE(condition, sentence) __attribute__((diagnose_if(condition, "cudax.sync: " sentence, "error")))

// CUDAX_CHECKED builds stop on misuse that cannot be seen while compiling. `sentence` holds one %lld for `value`.
#if defined(CUDAX_CHECKED)
#define CUDAX_ENSURE(condition, sentence, value)                                                                       \
  (__builtin_expect(!(condition), 0) ? ::cudax::machine::stop("cudax.sync: " sentence "\n", value) : void())
#else
#define CUDAX_ENSURE(condition, sentence, value) ((void)sizeof(condition), (void)sizeof(value))
#endif
