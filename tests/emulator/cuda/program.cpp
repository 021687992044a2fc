// SPDX-License-Identifier: Apache-2.0
//
// program: small programs that end abnormally, for program.sh.
//
//   runtime_program NAME [FILE]
//
// Unless stated otherwise, a program neither waits for its kernels nor checks their errors.
#include "runtime.hpp"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
}

using namespace cudax_test;

namespace {

int require(bool condition, char const* what) {
  if (!condition) std::fprintf(stderr, "runtime_program: %s\n", what);
  return condition ? 0 : 3;
}

unsigned* mapped() {
  void* at = nullptr;
  if (cudaHostAlloc(&at, 4096, cudaHostAllocMapped) != cudaSuccess) std::exit(3);
  std::memset(at, 0, 4096);
  return static_cast<unsigned*>(at);
}

/// A word of the file becomes 42 when the kernel has ended.
int late(char const* file) {
  int const opened = open(file, O_RDWR | O_CREAT, 0600);
  if (opened < 0 || ftruncate(opened, 4096) != 0) return require(false, "the file cannot be made");
  void* const at = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (at == MAP_FAILED || cudaHostRegister(at, 4096, cudaHostRegisterMapped) != cudaSuccess)
    return require(false, "the file cannot be registered");
  return require(launch(kernels::set_later, 1, 1, nullptr, at, 42u) == cudaSuccess, "no launch");
}

int waiting() {
  unsigned* const flag = mapped();
  return require(launch(kernels::wait_for, 1, 1, nullptr, flag, 1u) == cudaSuccess, "no launch");
}

/// Returns when FILE, which receives the standard error output, contains a hint.
int hint(char const* file, void const* kernel, char const* words) {
  unsigned* const flag = mapped();
  if (launch(kernel, 2, 32, nullptr, flag, 1u) != cudaSuccess) return require(false, "no launch");
  bool found = false;
  auto const end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  for (; !found && std::chrono::steady_clock::now() < end; let_others_run()) {
    std::ifstream said(file);
    found = std::string(std::istreambuf_iterator<char>(said), {}).find(words) != std::string::npos;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100)); // the other block and the other threads print nothing
  std::atomic_ref(*flag).store(1);
  return require(cudaDeviceSynchronize() == cudaSuccess && found, "no hint in five minutes");
}

int trap() { return require(launch(kernels::trap, 1, 1, nullptr) == cudaSuccess, "no launch"); }

int nothing() { return 0; }

int failed_call() {
  cudaSetDevice(3);
  return 0;
}

int rejected() {
  launch(kernels::not_decoded, 1, 1, nullptr);
  return 0;
}

int linked() {
  launch(kernels::linked, 1, 1, nullptr);
  return 0;
}

/// The kernel waits for a host function of its stream that never returns. An earlier failed call is not the reason.
int killed() {
  cudaSetDevice(3);
  cudaLaunchHostFunc(
      nullptr,
      [](void*) {
        for (;;) pause();
      },
      nullptr);
  launch(kernels::trap, 1, 1, nullptr);
  _exit(0);
}

/// Launches as <<<...>>> does.
void push_and_pop() {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  __cudaPushCallConfiguration({5, 1, 1}, {1, 1, 1}, 0, nullptr);
  if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) != cudaSuccess || grid.x != 5)
    require(false, "another configuration");
}

/// An atexit function launches a kernel, after the main thread's objects were destroyed and the emulator's wait has
/// ended.
int after_main(char const* file) {
  static char const* name;
  name = file;
  std::atexit([] {
    push_and_pop();
    cudaStreamQuery(cudaStreamPerThread);
    late(name);
  });
  unsigned* const word = mapped();
  push_and_pop();
  cudaStreamQuery(cudaStreamPerThread);
  launch(kernels::set, 1, 1, nullptr, word, 1u);
  return require(cudaDeviceSynchronize() == cudaSuccess, "the kernel failed");
}

/// The child's calls fail immediately, including those of its destructors.
int child() {
  unsigned* const flag = mapped();
  launch(kernels::wait_for, 1, 1, nullptr, flag, 1u);
  pid_t const forked = fork();
  if (forked == 0) {
    alarm(60);
    void* at = nullptr;
    bool const fail =
        cudaMalloc(&at, 4) == cudaErrorInitializationError && cudaDeviceSynchronize() == cudaErrorInitializationError &&
        cudaFreeHost(flag) == cudaErrorInitializationError && cudaDeviceReset() == cudaErrorInitializationError;
    std::exit(require(fail, "a call of the child succeeded"));
  }
  int status = 0;
  waitpid(forked, &status, 0);
  std::atomic_ref(*flag).store(1);
  return require(cudaDeviceSynchronize() == cudaSuccess && status == 0, "the child, or the parent after it");
}

/// A child may use CUDA if its parent has only registered its kernels.
int first_in_child() {
  pid_t const forked = fork();
  if (forked == 0) {
    alarm(60);
    unsigned* const word = mapped();
    launch(kernels::set, 1, 1, nullptr, word, 7u);
    std::exit(require(cudaDeviceSynchronize() == cudaSuccess && *word == 7, "the child's kernel"));
  }
  int status = 0;
  waitpid(forked, &status, 0);
  return require(status == 0, "the child");
}

int lock(void const* kernel) {
  unsigned* const word = mapped();
  launch(kernel, 1, 1, nullptr, word);
  return require(cudaDeviceSynchronize() == cudaSuccess, "the kernel failed");
}

} // namespace

int main(int count, char** arguments) {
  char const* const file = count > 2 ? arguments[2] : "";
  std::map<std::string, std::function<int()>> const all = {
      {"late", [&] { return late(file); }},
      {"after_main", [&] { return after_main(file); }},
      {"child", child},
      {"first_in_child", first_in_child},
      {"waiting", waiting},
      {"hint", [&] { return hint(file, kernels::wait_for, "has run for"); }},
      {"hint_checked", [&] { return hint(file, kernels::count_until, "has changed no memory"); }},
      {"trap", trap},
      {"nothing", nothing},
      {"failed_call", failed_call},
      {"rejected", rejected},
      {"linked", linked},
      {"killed", killed},
      {"lock", [] { return lock(kernels::lock); }},
      {"own_lock", [] { return lock(kernels::own_lock); }},
  };
  auto const found = count > 1 ? all.find(arguments[1]) : all.end();
  return found == all.end() ? require(false, "usage: runtime_program NAME [FILE]") : found->second();
}
