// SPDX-License-Identifier: Apache-2.0
//
// registration: receives the device code that the program's start-up code registers, and loads it.
//
// Fat binaries are registered before main. The PTX of a fat binary is read when one of its kernels or variables is
// used.
#include "fatbin.hpp"
#include "kernels.hpp"
#include "memory_map.hpp"
#include "notes.hpp"
#include "properties.hpp"

#include "../machine/mode.hpp"
#include "../machine/readable_name.hpp"
#include "../ptx/parse.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace emulator::cuda {

struct managed_variable {
  void** host;
  std::string name;
};

/// A registered fat binary.
struct fat_binary {
  void const* wrapper = nullptr;
  std::vector<managed_variable> managed;
  std::mutex lock;
  std::unique_ptr<emulator::program> program; ///< null before its first use
  std::exception_ptr rejected;                ///< why it could not be loaded
};

namespace {

struct registered_variable {
  fat_binary* binary;
  std::string name;
};

struct registrations {
  std::mutex lock;
  std::vector<fat_binary*> binaries;
  std::unordered_map<void const*, std::unique_ptr<CUkern_st>> kernels; ///< keyed by host function
  std::unordered_map<void const*, CUkern_st*> handles;                 ///< keyed by the handle itself
  std::unordered_map<void const*, registered_variable> variables;      ///< keyed by host variable
};

registrations& all() {
  static registrations& only = *new registrations; // programs register before main and unregister after it
  return only;
}

std::string program_name() {
  std::string path(4096, '\0');
  ssize_t const length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return path.substr(path.rfind('/') + 1);
}

/// Returns the target that the PTX names, "sm_90a", without parsing the rest.
std::string target_of(std::string const& ptx) {
  auto const directive = ptx.find(".target");
  auto const begin = directive == ptx.npos ? ptx.npos : ptx.find("sm_", directive);
  return begin == ptx.npos ? "" : ptx.substr(begin, ptx.find_first_of(", \t\r\n", begin) - begin);
}

/// PTX runs on its SM and on newer ones; PTX for sm_90a on that SM only, PTX for sm_100f on its generation.
bool runs_on(std::string const& target, int image_sm, int sm) {
  if (target.ends_with('a')) return image_sm == sm;
  if (target.ends_with('f')) return image_sm / 10 == sm / 10 && image_sm <= sm;
  return image_sm <= sm;
}

/// Returns, for error messages, the list of images: "PTX of sm_90a, a cubin of sm_90".
std::string images_in(fat_binary const& binary) {
  std::string result;
  for (fatbin_image const& image : images_of(binary.wrapper)) {
    bool const is_ptx = image.what == fatbin_image::kind::ptx;
    if (!is_ptx && image.what != fatbin_image::kind::cubin) continue;
    std::string const target = is_ptx ? target_of(contents_of(image)) : std::string();
    result += (result.empty() ? "" : ", ") + std::string(is_ptx ? "PTX" : "a cubin") + " of " +
              (target.empty() ? "sm_" + std::to_string(image.sm) : target);
  }
  return result;
}

/// Returns what to do if no PTX runs on the device and the images are `seen`.
std::string advice_without_ptx(fat_binary const& binary, std::string const& seen) {
  if (is_linked_by_nvcc(binary.wrapper))
    return "nvcc -rdc=true links cubins and leaves no PTX of the linked program, whatever -arch and -gencode say: "
           "compile "
           "without -rdc=true where no file needs the device code of another, else build it with cudax++";
  if (seen.empty()) return "build its device code with PTX (nvcc -gencode arch=compute_90,code=compute_90; cudax++)";
  return "build it for this SM or an older one, with its PTX (that of an SM with a letter runs on no other SM), or "
         "emulate "
         "another SM with CUDAX_EMULATOR_SM";
}

/// The PTX in the file that CUDAX_EMULATOR_PTX names, in place of that of the program; empty without the variable.
/// Names of kernels and variables are those that the program registers, so the file is a changed copy of its PTX
/// (tools/sweep).
std::string ptx_of_environment() {
  char const* const name = std::getenv("CUDAX_EMULATOR_PTX");
  if (!name || !*name) return "";
  std::ifstream file(name, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file || text.empty())
    reject(cudaErrorInvalidPtx, "CUDAX_EMULATOR_PTX is '" + std::string(name) +
                                    "', which is empty or cannot be read; name a file with the program's PTX");
  return text;
}

/// Loads the newest PTX that runs on the device.
std::unique_ptr<emulator::program> load(fat_binary const& binary) {
  int const sm = the_device().properties().sm;
  std::string best, best_target;
  int best_sm = -1;
  for (fatbin_image const& image : images_of(binary.wrapper)) {
    if (image.what != fatbin_image::kind::ptx || image.sm > sm || image.sm < best_sm) continue;
    std::string text = contents_of(image);
    std::string target = target_of(text);
    bool const better = image.sm > best_sm || best_target.size() < target.size();
    if (!runs_on(target, image.sm, sm) || !better) continue;
    best = std::move(text);
    best_target = std::move(target);
    best_sm = image.sm;
  }
  if (best_sm < 0) {
    std::string const seen = images_in(binary);
    reject(cudaErrorNoKernelImageForDevice, program_name() + " holds no PTX that runs on sm_" + std::to_string(sm) +
                                                (seen.empty() ? "" : ", only " + seen) + "; " +
                                                advice_without_ptx(binary, seen));
  }
  if (std::string text = ptx_of_environment(); !text.empty()) {
    best_target = target_of(text);
    int const number = std::atoi(best_target.c_str() + std::min(best_target.size(), std::string_view("sm_").size()));
    if (!number || !runs_on(best_target, number, sm))
      reject(cudaErrorInvalidPtx, "CUDAX_EMULATOR_PTX names PTX for the target '" + best_target +
                                      "', which does not run on the emulated sm_" + std::to_string(sm) +
                                      "; choose the SM with CUDAX_EMULATOR_SM");
    best = std::move(text);
  }
  if (is_checked_run() && holds_atomics_of_clang(best)) write_note(note::atomics);
  auto made =
      std::make_unique<emulator::program>(ptx::parse(std::move(best), program_name() + "." + best_target + ".ptx"));
  for (ptx::variable const& v : made->module().variables) {
    std::size_t size = 0;
    void* const begin = v.linkage == ".extern" ? nullptr : made->variable(v.name, size);
    bool const is_managed = std::ranges::find(binary.managed, v.name, &managed_variable::name) != binary.managed.end();
    if (begin && size) add_range({begin, size, is_managed ? memory_kind::managed_variable : memory_kind::variable, 0});
  }
  return made;
}

emulator::program& program_of(fat_binary& binary) {
  std::lock_guard guard(binary.lock);
  if (binary.rejected) std::rethrow_exception(binary.rejected);
  if (!binary.program) {
    try {
      binary.program = load(binary);
      for (managed_variable const& v : binary.managed) {
        std::size_t size = 0;
        *v.host = binary.program->variable(v.name, size);
      }
    } catch (...) {
      binary.rejected = std::current_exception();
      throw;
    }
  }
  return *binary.program;
}

fat_binary& binary_of(void** handle) { return *reinterpret_cast<fat_binary*>(handle); }

} // namespace

CUkern_st& find_kernel(void const* symbol) {
  std::lock_guard guard(all().lock);
  if (auto const found = all().kernels.find(symbol); found != all().kernels.end()) return *found->second;
  auto const found = all().handles.find(symbol);
  require(found != all().handles.end(), cudaErrorInvalidDeviceFunction);
  return *found->second;
}

function const& code_of(CUkern_st const& kernel) {
  function const* const code = program_of(*kernel.binary).kernel(kernel.name);
  if (!code)
    reject(cudaErrorInvalidDeviceFunction,
           "kernel " + readable_name(kernel.name) + " is not in the PTX of " + program_name() + "; link it again");
  return *code;
}

device_variable find_variable(void const* symbol) {
  registered_variable found;
  {
    std::lock_guard guard(all().lock);
    auto const entry = all().variables.find(symbol);
    require(entry != all().variables.end(), cudaErrorInvalidSymbol);
    found = entry->second;
  }
  device_variable variable{};
  variable.address = program_of(*found.binary).variable(found.name, variable.size);
  require(variable.address, cudaErrorInvalidSymbol);
  return variable;
}

void unload_programs(bool give_back) {
  std::lock_guard guard(all().lock);
  for (auto const& [_, kernel] : all().kernels) kernel->loaded = false;
  for (fat_binary* const binary : all().binaries) {
    std::lock_guard inner(binary->lock);
    if (!give_back) (void)binary->program.release(); // a grid that cannot be stopped may be running it
    binary->program = nullptr;
    binary->rejected = nullptr;
  }
}

} // namespace emulator::cuda

using namespace emulator::cuda;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  auto* const binary = new fat_binary; // never freed: threads may be running its code when the program ends
  binary->wrapper = wrapper;
  std::lock_guard guard(all().lock);
  all().binaries.push_back(binary);
  return reinterpret_cast<void**>(binary);
}

void __cudaRegisterFatBinaryEnd(void** handle) {
  fat_binary& binary = binary_of(handle);
  if (!binary.managed.empty())
    query([&] { program_of(binary); }); // the host may access managed variables before any call
}

void __cudaUnregisterFatBinary(void** handle) {
  if (is_lost_child()) return; // another thread may have held the lock at the fork
  fat_binary* const binary = &binary_of(handle);
  std::lock_guard guard(all().lock);
  std::erase(all().binaries, binary);
  std::erase_if(all().handles, [&](auto const& entry) { return entry.second->binary == binary; });
  std::erase_if(all().kernels, [&](auto const& entry) { return entry.second->binary == binary; });
  std::erase_if(all().variables, [&](auto const& entry) { return entry.second.binary == binary; });
}

void __cudaRegisterFunction(void** handle, char const* host, char*, char const* name, int, void*, void*, void*, void*,
                            int*) {
  auto kernel = std::make_unique<CUkern_st>();
  write_note(note::kernels);
  kernel->binary = &binary_of(handle);
  kernel->name = name;
  kernel->host = host;
  std::lock_guard guard(all().lock);
  auto& known = all().kernels[host];
  if (known) all().handles.erase(known.get()); // an unloaded library had a function at this address
  all().handles[kernel.get()] = kernel.get();
  known = std::move(kernel);
}

void __cudaRegisterVar(void** handle, char const* host, char*, char const* name, int, std::size_t, int, int) {
  std::lock_guard guard(all().lock);
  all().variables[host] = {&binary_of(handle), name};
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, char const* name, int, std::size_t, int, int) {
  binary_of(handle).managed.push_back({host, name});
  std::lock_guard guard(all().lock);
  all().variables[host] = {&binary_of(handle), name};
}

char __cudaInitModule(void**) { return 1; }

} // extern "C"

cudaError_t cudaGetSymbolAddress(void** address, void const* symbol) {
  return call([&] {
    require(address);
    *address = find_variable(symbol).address;
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, void const* symbol) {
  return call([&] {
    require(size);
    *size = find_variable(symbol).size;
  });
}
