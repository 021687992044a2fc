// SPDX-License-Identifier: Apache-2.0
//
// copy: copies and fills, in the order of a stream.  [CUDA Runtime API, "API synchronization behavior"]
// The host may reuse ordinary memory as soon as a copy from it returns, and finds the result there when a copy to it
// returns, even if the call is an asynchronous one. Other memory is accessed when the stream reaches the copy.
#include "captures.hpp"
#include "commands.hpp"
#include "kernels.hpp"
#include "memory_map.hpp"
#include "queue.hpp"

#include <cstring>
#include <memory>

namespace emulator::cuda {
namespace {

/// `rows` rows of `width` bytes; each begins `pitch` bytes after the previous one.
struct area {
  char* begin = nullptr;
  size_t pitch = 0;
};

struct copy {
  area to, from;
  size_t width = 0, rows = 1;
};

void run(copy const& c) {
  for (size_t row = 0; row < c.rows; ++row)
    std::memmove(c.to.begin + row * c.to.pitch, c.from.begin + row * c.from.pitch, c.width);
  tell_written(c.to.begin, c.to.pitch, c.width, c.rows);
}

/// Returns the number of bytes from the first to the last.
size_t extent(area const& a, copy const& c) { return (c.rows - 1) * a.pitch + c.width; }

/// Returns the memory of one side, which must be of the type that the kind of the copy names.
std::optional<memory_range> side(area const& a, copy const& c, bool says_device, bool says_host) {
  require(a.begin);
  auto const range = range_of(a.begin);
  if (range) {
    size_t const offset = static_cast<size_t>(a.begin - static_cast<char*>(range->begin));
    require(extent(a, c) <= range->size - offset || !range->is_device());
  }
  if (says_device) require(range.has_value());
  if (says_host) require(!range || !range->is_device());
  return range;
}

struct sides {
  std::optional<memory_range> to, from;
};

sides check(copy const& c, cudaMemcpyKind kind) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
  bool const known = kind != cudaMemcpyDefault;
  bool const to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool const from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return {side(c.to, c, known && to_device, known && !to_device),
          side(c.from, c, known && from_device, known && !from_device)};
}

command command_of(copy const& c) {
  return {.type = cudaGraphNodeTypeMemcpy, .run = [c] { run(c); }};
}

enum class returns { when_done, at_once };

void start(copy c, cudaMemcpyKind kind, cudaStream_t stream, returns when) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
  auto const where = stream_of(stream);
  if (c.width == 0 || c.rows == 0) return;
  sides const known = check(c, kind);
  if (record(*where, command_of(c))) return; // memory is read when the graph runs, ordinary memory, too

  std::shared_ptr<char[]> staged;
  if (when == returns::at_once && !known.from) {
    staged = std::make_shared_for_overwrite<char[]>(c.width * c.rows);
    run({{staged.get(), c.width}, c.from, c.width, c.rows});
    c.from = {staged.get(), c.width};
  }
  auto const done = submit(where, {.type = cudaGraphNodeTypeMemcpy, .run = [c, staged] { run(c); }});
  if (when == returns::when_done || !known.to) wait_for(done);
}

struct fill {
  area to;
  unsigned value = 0;
  size_t width = 0, rows = 1; ///< width: in bytes
  size_t element = 1;         ///< bytes
};

std::optional<memory_range> check(fill const& f) { return side(f.to, {f.to, {}, f.width, f.rows}, true, false); }

command command_of(fill const& f) {
  return {.type = cudaGraphNodeTypeMemset, .run = [f] {
            for (size_t row = 0; row < f.rows; ++row) {
              char* const begin = f.to.begin + row * f.to.pitch;
              for (size_t i = 0; f.element > 1 && i < f.width; i += f.element)
                std::memcpy(begin + i, &f.value, f.element);
              if (f.element == 1) std::memset(begin, int(f.value), f.width);
            }
            tell_written(f.to.begin, f.to.pitch, f.width, f.rows);
          }};
}

void start(fill f, cudaStream_t stream, returns when) {
  auto const where = stream_of(stream);
  if (f.width == 0 || f.rows == 0) return;
  auto const range = check(f);
  auto const done = submit(where, command_of(f));
  if (when == returns::when_done && range && !range->is_device())
    wait_for(done); // a fill of device memory does not make the host wait
}

char* bytes(void const* p) { return static_cast<char*>(const_cast<void*>(p)); }

copy flat(void* to, void const* from, size_t size) { return {{bytes(to), size}, {bytes(from), size}, size, 1}; }

copy rows_of(void* to, size_t to_pitch, void const* from, size_t from_pitch, size_t width, size_t height) {
  require(width <= to_pitch && width <= from_pitch, cudaErrorInvalidPitchValue);
  return {{bytes(to), to_pitch}, {bytes(from), from_pitch}, width, height};
}

/// Returns the address of `size` bytes at `offset` in a variable of a program.
void* in_symbol(void const* symbol, size_t size, size_t offset) {
  device_variable const variable = find_variable(symbol);
  require(offset <= variable.size && size <= variable.size - offset);
  return static_cast<char*>(variable.address) + offset;
}

} // namespace

command copy_of(void* to, void const* from, size_t size, cudaMemcpyKind kind) {
  copy const c = flat(to, from, size);
  require(size > 0);
  check(c, kind);
  return command_of(c);
}

command fill_of(cudaMemsetParams const& p) {
  require(p.elementSize == 1 || p.elementSize == 2 || p.elementSize == 4);
  require(p.width > 0 && p.height > 0);
  fill const f{{bytes(p.dst), p.height > 1 ? p.pitch : p.width * p.elementSize},
               p.value,
               p.width * p.elementSize,
               p.height,
               p.elementSize};
  require(f.to.pitch >= f.width && reinterpret_cast<std::uintptr_t>(p.dst) % p.elementSize == 0);
  check(f);
  return command_of(f);
}

} // namespace emulator::cuda

using namespace emulator::cuda;

cudaError_t cudaMemcpy(void* to, void const* from, size_t size, cudaMemcpyKind kind) {
  return call([&] { start(flat(to, from, size), kind, nullptr, returns::when_done); });
}

cudaError_t cudaMemcpyAsync(void* to, void const* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&] { start(flat(to, from, size), kind, stream, returns::at_once); });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, void const* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return call(
      [&] { start(rows_of(to, to_pitch, from, from_pitch, width, height), kind, nullptr, returns::when_done); });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, void const* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&] { start(rows_of(to, to_pitch, from, from_pitch, width, height), kind, stream, returns::at_once); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, void const* from, int from_device, size_t size) {
  return call([&] {
    require(to_device == 0 && from_device == 0, cudaErrorInvalidDevice);
    start(flat(to, from, size), cudaMemcpyDeviceToDevice, nullptr, returns::when_done);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, void const* from, int from_device, size_t size,
                                cudaStream_t stream) {
  return call([&] {
    require(to_device == 0 && from_device == 0, cudaErrorInvalidDevice);
    start(flat(to, from, size), cudaMemcpyDeviceToDevice, stream, returns::at_once);
  });
}

cudaError_t cudaMemcpyToSymbol(void const* symbol, void const* from, size_t size, size_t offset, cudaMemcpyKind kind) {
  return call([&] { start(flat(in_symbol(symbol, size, offset), from, size), kind, nullptr, returns::when_done); });
}

cudaError_t cudaMemcpyFromSymbol(void* to, void const* symbol, size_t size, size_t offset, cudaMemcpyKind kind) {
  return call([&] { start(flat(to, in_symbol(symbol, size, offset), size), kind, nullptr, returns::when_done); });
}

cudaError_t cudaMemcpyToSymbolAsync(void const* symbol, void const* from, size_t size, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&] { start(flat(in_symbol(symbol, size, offset), from, size), kind, stream, returns::at_once); });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, void const* symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return call([&] { start(flat(to, in_symbol(symbol, size, offset), size), kind, stream, returns::at_once); });
}

cudaError_t cudaMemset(void* to, int value, size_t size) {
  return call([&] { start(fill{{bytes(to), size}, unsigned(value), size, 1}, nullptr, returns::when_done); });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t size, cudaStream_t stream) {
  return call([&] { start(fill{{bytes(to), size}, unsigned(value), size, 1}, stream, returns::at_once); });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return call([&] { start(fill{{bytes(to), pitch}, unsigned(value), width, height}, nullptr, returns::when_done); });
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return call([&] { start(fill{{bytes(to), pitch}, unsigned(value), width, height}, stream, returns::at_once); });
}
