// SPDX-License-Identifier: Apache-2.0
//
// image: lets a program run other device code than its own. Loaded before a program (LD_PRELOAD) that uses the shared
// CUDA runtime, it registers the fat binary in the file that CUDAX_SWEEP_IMAGE names in place of the program's. Kernels
// and variables that the file does not name are not registered: a sweep's unit is one body of a program of many.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

/// What a program passes to __cudaRegisterFatBinary.
struct wrapper {
  int magic, version;
  void const* data;
  void* unused;
};

[[noreturn]] void fail(std::string const& what) {
  std::fprintf(stderr, "tools/sweep: image: %s\n", what.c_str());
  std::_Exit(97);
}

/// The fat binary. The program holds it until it ends.
std::string const& image() {
  static std::string const bytes = [] {
    char const* const name = std::getenv("CUDAX_SWEEP_IMAGE");
    if (!name) fail("CUDAX_SWEEP_IMAGE is not set; name a fat binary");
    std::ifstream file(name, std::ios::binary);
    std::string read{std::istreambuf_iterator<char>(file), {}};
    if (read.size() < 16) fail("CUDAX_SWEEP_IMAGE is '" + std::string(name) + "', which holds no fat binary");
    return read;
  }();
  return bytes;
}

/// Whether the image has a symbol of this name. Names end with a zero byte in its table of strings.
bool names(char const* symbol) { return image().find(std::string(1, '\0') + symbol + '\0') != std::string::npos; }

template <class F>
F* next(char const* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (!found) fail(std::string(name) + " was not found; link the program with the shared CUDA runtime");
  return reinterpret_cast<F*>(found);
}

} // namespace

extern "C" void** __cudaRegisterFatBinary(void* program) {
  static bool used = false;
  if (used) fail("the program registers a second fat binary; the sweep's programs have one");
  used = true;
  static wrapper changed;
  changed = *static_cast<wrapper*>(program);
  changed.data = image().data();
  return next<void**(void*)>("__cudaRegisterFatBinary")(&changed);
}

extern "C" void __cudaRegisterFunction(void** handle, char const* host, char* device, char const* name, int threads,
                                       void* thread, void* block, void* size, void* grid, int* warp) {
  if (names(name))
    next<void(void**, char const*, char*, char const*, int, void*, void*, void*, void*, int*)>(
        "__cudaRegisterFunction")(handle, host, device, name, threads, thread, block, size, grid, warp);
}

extern "C" void __cudaRegisterVar(void** handle, char* host, char* device, char const* name, int external,
                                  std::size_t size, int constant, int global) {
  if (names(name))
    next<void(void**, char*, char*, char const*, int, std::size_t, int, int)>("__cudaRegisterVar")(
        handle, host, device, name, external, size, constant, global);
}

extern "C" void __cudaRegisterManagedVar(void** handle, void** host, char* device, char const* name, int external,
                                         std::size_t size, int constant, int global) {
  if (names(name))
    next<void(void**, void**, char*, char const*, int, std::size_t, int, int)>("__cudaRegisterManagedVar")(
        handle, host, device, name, external, size, constant, global);
}
