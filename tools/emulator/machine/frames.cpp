// SPDX-License-Identifier: Apache-2.0
//
// frames: see the header.
#include "frames.hpp"
#include "grid.hpp"
#include "loaded.hpp"
#include "special.hpp"

#include <cstdlib>
#include <new>
#include <utility>

namespace emulator {
namespace {

constexpr std::size_t piece_bytes = 32 * 1024;
constexpr std::size_t largest_stack = 64 * 1024 * 1024;

/// In front of a called function's frame: how the stack was before.
struct saved {
  std::byte* next;
  std::byte* end;
  bool new_piece;
};

std::size_t locals_at(function const& f) {
  return aligned(sizeof(frame) + std::size_t(f.registers) * 8, f.local_alignment);
}

void fill(thread& t, function const& f, frame& made, std::byte* memory) {
  std::memcpy(made.registers, f.image.data(), f.image.size() * 8);
  grid const& g = *t.block->grid;
  function const& kernel = *g.launch.kernel;
  for (prologue_entry const& entry : f.prologue) {
    std::uint64_t value = 0;
    switch (entry.what) {
    case prologue_entry::kind::shared: {
      // A function that was reached through memory may know variables that this kernel does not: no address.
      std::uint32_t const offset =
          entry.value < kernel.shared_offsets.size() ? kernel.shared_offsets[entry.value] : ~std::uint32_t(0);
      value = offset == ~std::uint32_t(0) ? ~std::uint64_t(0)
                                          : t.block->rank * shared_window + offset + std::uint64_t(entry.extra);
      break;
    }
    case prologue_entry::kind::local: value = std::uint64_t(memory + locals_at(f)) + entry.value; break;
    case prologue_entry::kind::parameter:
      value = std::uint64_t(g.parameters) + f.parameters[entry.value].offset + std::uint64_t(entry.extra);
      break;
    case prologue_entry::kind::special: value = special(std::uint32_t(entry.value)).read(t); break;
    }
    made.registers[entry.where] = value;
  }
}

frame& make(thread& t, function const& f, std::byte* memory, operation const* return_to) {
  frame& made = *new (memory) frame{&f, t.frame, return_to, reinterpret_cast<std::uint64_t*>(memory + sizeof(frame))};
  fill(t, f, made, memory);
  t.frame = &made;
  return made;
}

} // namespace

struct stack_memory {
  std::byte* next = nullptr;
  std::byte* end = nullptr;
  std::size_t bytes = 0;
  std::vector<std::pair<std::byte*, std::size_t>> pieces;
  std::byte* spare = nullptr; ///< a piece of the usual size that was given back: calls come in loops
};

std::uint32_t frame_bytes(function const& f) {
  return std::uint32_t(aligned(locals_at(f) + f.local_bytes, frame_alignment));
}

void enter_kernel(thread& t, function const& f, std::byte* memory) {
  t.frame = nullptr;
  make(t, f, memory, nullptr);
  t.pc = f.operations.data();
}

frame& enter_function(thread& t, function const& f, operation const* return_to) {
  static_assert(sizeof(saved) <= frame_alignment);
  if (!t.stack) t.stack = new stack_memory;
  stack_memory& s = *t.stack;
  std::size_t const alignment = std::max<std::size_t>(frame_alignment, f.local_alignment);
  std::size_t const bytes = frame_alignment + frame_bytes(f);
  saved before{s.next, s.end, false};
  auto const at = [&] {
    return reinterpret_cast<std::byte*>(aligned(std::uint64_t(s.next) + frame_alignment, alignment));
  };
  if (!s.next || at() + bytes > s.end) {
    std::size_t const size = aligned(std::max(piece_bytes, bytes + 2 * alignment), frame_alignment);
    if (s.bytes + size > largest_stack) {
      fail(t, 719,
           "the stack of the thread is larger than " + std::to_string(largest_stack >> 20) +
               " MiB; is there a recursion without end?");
    }
    std::byte* const kept = size == piece_bytes ? std::exchange(s.spare, nullptr) : nullptr;
    auto* const piece = kept ? kept : static_cast<std::byte*>(std::aligned_alloc(frame_alignment, size));
    if (!piece) throw std::bad_alloc();
    s.pieces.emplace_back(piece, size);
    s.bytes += size;
    s.next = piece;
    s.end = piece + size;
    before.new_piece = true;
  }
  std::byte* const memory = at();
  *reinterpret_cast<saved*>(memory - frame_alignment) = before;
  s.next = memory + frame_bytes(f);
  return make(t, f, memory, return_to);
}

void leave_function(thread& t) {
  stack_memory& s = *t.stack;
  auto* const memory = reinterpret_cast<std::byte*>(t.frame);
  saved const before = *reinterpret_cast<saved*>(memory - frame_alignment);
  t.frame = t.frame->caller;
  s.next = before.next;
  s.end = before.end;
  if (!before.new_piece) return;
  auto const [piece, size] = s.pieces.back();
  if (size == piece_bytes && !s.spare) s.spare = piece;
  else std::free(piece);
  s.bytes -= size;
  s.pieces.pop_back();
}

bool is_on_stack(thread const& t, std::byte const* where) {
  for (auto const& [piece, size] : t.stack->pieces)
    if (std::size_t(where - piece) < size) return true;
  return false;
}

void free_stack(thread& t) {
  if (!t.stack) return;
  for (auto const& piece : t.stack->pieces) std::free(piece.first);
  std::free(t.stack->spare);
  delete t.stack;
  t.stack = nullptr;
}

} // namespace emulator
