// SPDX-License-Identifier: Apache-2.0
//
// Progress of another process: while `second` polls, another process runs API.1. The text notes that the device thread
// whose progress a call ensures may be one of another process, here the one of `second`. So API.1 may make no progress
// (it must end only if no other program uses the device). If launches are blocking, the launch of `second` never
// returns.
#include "two_kernels.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace execution_model;

/// Runs API.1 in a process of its own; returns whether it ended correctly.
static bool other_process_ends() {
  char self[] = "execution_model", child[] = "--child", name[] = "api.1";
  char* arguments[] = {self, child, name, nullptr};
  pid_t process = 0;
  int status = 0;
  if (posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, arguments, environ) != 0) return false;
  return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == int(end::right);
}

static system_flag flag = 0;

static end run() {
  begin();
  cudax::registered const here(flag);
  second<<<1, 1>>>(here.device_pointer());
  CUDA_MUST(cudaGetLastError());
  bool const ends = other_process_ends() && cudaStreamQuery(nullptr) == cudaErrorNotReady;
  flag.store(1);
  CUDA_MUST(cudaDeviceSynchronize());
  return ends ? end::right : end::wrong;
}

static example const here("process.unrelated", outcome::may_not_end, outcome::never_ends,
                          "a call ensures progress of a device thread, not of a thread of its own process", run);
