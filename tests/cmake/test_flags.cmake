# SPDX-License-Identifier: Apache-2.0
#
# How tests are optimised.

# The sanitizers find mistakes in code that runs. What only compiles, or reads sources, is tested without them. Their checks
# make the optimiser up to three times as slow as all the rest.
set(CUDAX_TEST_SANITIZED FALSE)
set(CUDAX_TEST_OPTIMISATION -O1)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(CUDAX_TEST_SANITIZED TRUE)
  set(CUDAX_TEST_OPTIMISATION -O0)
endif()

# Device code of bodies. The library stays in functions of its own, with orders and spaces known only at run time, and
# is compiled once instead of at every call: a tenth of the time. What a call folds to is what tests/ptx checks.
set(CUDAX_TEST_DEVICE_PASSES "SHELL:-Xoffload-linker --lto-newpm-passes=lto<O2>") # after cudax_test_cuda_sources()
# Before the link, each file is only made smaller: the link has all passes, once for what several files have.
string(CONCAT CUDAX_TEST_DEVICE_COMPILE "SHELL:-mllvm -opt-disable=instcombine,licm,indvars,loop-rotate,loop-unroll-full,"
  "loop-simplifycfg,loop-instsimplify,loop-idiom,loop-deletion,simple-loop-unswitch,memcpyopt,bdce,adce,sccp,reassociate")
set(CUDAX_TEST_DEVICE_LINK -O1 "SHELL:-Xoffload-linker -mllvm" "SHELL:-Xoffload-linker -inline-threshold=0")
# Functions that several files call are not made internal (cudax_device_program, MANY_CALLS).
set(CUDAX_TEST_DEVICE_EXTERNAL "SHELL:-Xoffload-linker -mllvm -Xoffload-linker -enable-lto-internalization=false")
