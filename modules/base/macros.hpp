// SPDX-License-Identifier: Apache-2.0
//
// macros: the macros that interface units of several rooms use. A program that imports the modules sees none of them.
#pragma once

// CUDAX_EVERYWHERE_BEGIN ... CUDAX_EVERYWHERE_END
// In a CUDA flavour, every function between the two macros is __host__ __device__. The pragma must follow a
// declaration: at the first declaration after the imports, clang enters the imported modules and resets the pragma. So
// the macro declares a namespace first.
// In device code these functions have no line information, because LLVM 22 does not record in PTX where a function was
// inlined. So a profiler, a debugger and the emulator attribute an atomic operation to the user's line, not to a line
// of this library. tools/sweep reads LLVM's IR, which does record it, and compiles with CUDAX_LIBRARY_LINES.
#if defined(__CUDA__)
#if defined(__CUDA_ARCH__) && !defined(CUDAX_LIBRARY_LINES)
#define CUDAX_NO_LINES_BEGIN _Pragma("clang attribute push([[gnu::nodebug]], apply_to = hasType(functionType))")
#define CUDAX_NO_LINES_END _Pragma("clang attribute pop")
#else
#define CUDAX_NO_LINES_BEGIN
#define CUDAX_NO_LINES_END
#endif
#define CUDAX_EVERYWHERE_BEGIN                                                                                         \
  namespace cudax {}                                                                                                   \
  _Pragma("clang force_cuda_host_device begin") CUDAX_NO_LINES_BEGIN
#define CUDAX_EVERYWHERE_END CUDAX_NO_LINES_END _Pragma("clang force_cuda_host_device end")
#else
#define CUDAX_EVERYWHERE_BEGIN
#define CUDAX_EVERYWHERE_END
#endif

// CUDAX_ON_DEVICE is 1 in code that is compiled for a GPU. No code in modules/ tests for an SM: one device BMI is used
// for every SM.
#if defined(__CUDA_ARCH__)
#define CUDAX_ON_DEVICE 1
#else
#define CUDAX_ON_DEVICE 0
#endif

// CUDAX_HERE(on_device, on_host) expands to the expression for the side being compiled; the other expression is not
// compiled. Only modules/machine/device uses it, between CUDAX_HERE_BEGIN and _END: there a function need not use its
// parameters on the host.
#if CUDAX_ON_DEVICE
#define CUDAX_HERE(on_device, on_host) on_device
#else
#define CUDAX_HERE(on_device, on_host) on_host
#endif
#define CUDAX_HERE_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunused-parameter\"")
#define CUDAX_HERE_END _Pragma("clang diagnostic pop")

// CUDAX_BLOCK_SHARED, before a local variable, makes one object for each block, in its shared memory. On the host it
// makes one object for the program, but no function with such a variable is called there.
#if CUDAX_ON_DEVICE
#define CUDAX_BLOCK_SHARED static __attribute__((shared))
#else
#define CUDAX_BLOCK_SHARED static
#endif

// CUDAX_OF_THIS_IMAGE, before a function template, keeps the dynamic loader from replacing its instantiations in a
// shared library by those of the program or of another library. A function that is about the image of the calling code
// needs it. Device code has no loader, and the device link drops hidden kernels.
#if CUDAX_ON_DEVICE
#define CUDAX_OF_THIS_IMAGE
#else
#define CUDAX_OF_THIS_IMAGE __attribute__((visibility("hidden")))
#endif

// CUDAX_REFUSE(condition, sentence), after a function's parameters, rejects calls whose arguments are constants that
// satisfy the condition. A value that is known only at run time is checked by the operation that uses it.
#define CUDAX_REFUSE(condition, sentence) __attribute__((diagnose_if(condition, "cudax.sync: " sentence, "error")))

// CUDAX_ENSURE_SCOPE(scope, name) rejects a class whose template argument is not a thread scope. `name` is the class as
// a string literal: "latch<Scope>".
#define CUDAX_ENSURE_SCOPE(scope, name)                                                                                \
  static_assert(exists(scope), "cudax.sync: " name ": this thread scope does not exist; use an enumerator of "         \
                               "cudax::thread_scope")

// CUDAX_CHECKED builds check whether a host thread's operation on `size` bytes is also atomic with respect to the
// devices; `how` is an enumerator of runtime::host_access. They also check objects when they are registered for
// devices.
#if defined(CUDAX_CHECKED)
#define CUDAX_CHECK_ATOMICITY(object, size, how, scope)                                                                \
  ((scope) == thread_scope_system                                                                                      \
       ? ::cudax::runtime::check_atomicity(object, size, ::cudax::runtime::host_access::how)                           \
       : void())
#define CUDAX_CHECK_REGISTERED(object, size) ::cudax::runtime::check_registered(object, size)
#else
#define CUDAX_CHECK_ATOMICITY(object, size, how, scope) ((void)(scope))
#define CUDAX_CHECK_REGISTERED(object, size) ((void)0)
#endif

// CUDAX_CHECKED builds stop on misuse that the compiler cannot detect. `sentence` holds one %lld or %llx for `value`.
#if defined(CUDAX_CHECKED)
#define CUDAX_ENSURE(condition, sentence, value)                                                                       \
  (__builtin_expect(!(condition), 0) ? ::cudax::machine::stop("cudax.sync: " sentence "\n", value) : void())
#else
#define CUDAX_ENSURE(condition, sentence, value) ((void)sizeof(condition), (void)sizeof(value))
#endif

// CUDAX_CHECKED builds can report a wait that lasts long (modules/wait/hang.hpp). CUDAX_AWAITS(changed, text, value...)
// is the predicate of a wait without a time limit. `text` says where the thread waits and what is missing; at most two
// values replace its characters '#'. CUDAX_WAIT_NAME(text) is one more argument of a wait for a turn. The other macros
// are for modules/wait.
#if defined(CUDAX_CHECKED)
#define CUDAX_AWAITS(changed, ...)                                                                                     \
  ::cudax::machine::awaits(changed, [&]() noexcept { return ::cudax::machine::description_of(__VA_ARGS__); })
#define CUDAX_WAIT_NAME(text) , text
#define CUDAX_WAIT_NAME_PARAMETER , char const* wait_name
#define CUDAX_WAIT_NAME_ARGUMENT , wait_name
#define CUDAX_AWAITS_TURN(left) CUDAX_AWAITS(0, wait_name, target - u32(left), target)
#define CUDAX_HANG_WATCH(watch) ::cudax::machine::hang_watch watch
#define CUDAX_HANG_CHECK(watch, deadline, object, changed)                                                             \
  ((deadline) == forever ? (watch).check(object, changed) : void())
#define CUDAX_CONDITION_OF(changed) ::cudax::machine::condition_of(changed)
#define CUDAX_DESCRIBE(wait, changed)                                                                                  \
  auto const& described = changed;                                                                                     \
  ::cudax::machine::describe(wait, described)
#else
#define CUDAX_AWAITS(changed, ...) changed
#define CUDAX_WAIT_NAME(text)
#define CUDAX_WAIT_NAME_PARAMETER
#define CUDAX_WAIT_NAME_ARGUMENT
#define CUDAX_HANG_WATCH(watch) ((void)0)
#define CUDAX_HANG_CHECK(watch, deadline, object, changed) ((void)0)
#define CUDAX_CONDITION_OF(changed) changed
#define CUDAX_DESCRIBE(wait, changed) ((void)0)
#endif
