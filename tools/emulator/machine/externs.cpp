// SPDX-License-Identifier: Apache-2.0
//
// externs: what a kernel calls and no PTX defines.
// vprintf gets the format and a buffer in which the arguments stand one after the other, each aligned to its size,
// floats as doubles. Each call is one text, so that those of several threads never mix.
#include "externs.hpp"
#include "call_parameters.hpp"
#include "mode.hpp"
#include "nested.hpp"
#include "observer.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unistd.h>
#include <unordered_set>

namespace emulator {
namespace {

std::atomic<void (*)(std::string_view, bool)> print_sink{nullptr};

void print(std::string_view text, bool is_error) {
  if (auto* const sink = print_sink.load()) return sink(text, is_error);
  for (int const file = is_error ? STDERR_FILENO : STDOUT_FILENO; !text.empty();) {
    ssize_t const written = ::write(file, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(std::size_t(written));
  }
}

struct packed_arguments {
  std::byte const* base;
  std::size_t at = 0;

  template <class T>
  T next() {
    at = (at + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, base + at, sizeof(T));
    at += sizeof(T);
    return value;
  }
};

template <class... T>
void append(std::string& text, std::string const& specification, T... arguments) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
  int const length = std::snprintf(nullptr, 0, specification.c_str(), arguments...);
  if (length < 0) return;
  std::size_t const before = text.size();
  text.resize(before + std::size_t(length) + 1);
  std::snprintf(text.data() + before, std::size_t(length) + 1, specification.c_str(), arguments...);
  text.pop_back();
#pragma clang diagnostic pop
}

/// One `%...` of a format, at `*format`, which is moved past it. Returns how many arguments it took, -1 where it is
/// none.
int conversion(std::string& text, char const*& format, packed_arguments& arguments) {
  std::string specification = "%";
  char const* c = format + 1;
  int taken = 0;
  for (; *c && std::strchr("-+ #0123456789.*", *c); ++c) {
    if (*c != '*') specification += *c;
    else specification += std::to_string(arguments.next<int>()), ++taken;
  }
  int longs = 0;
  for (; *c && std::strchr("hljztL", *c); ++c) {
    if (*c == 'h') specification += 'h';
    else longs = *c == 'l' ? longs + 1 : 2;
  }
  char const kind = *c;
  if (!kind) return -1;
  format = c + 1;
  switch (kind) {
  case '%': text += '%'; return taken;
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    if (longs) append(text, specification + "ll" + kind, arguments.next<long long>());
    else append(text, specification + kind, arguments.next<int>());
    return taken + 1;
  case 'c': append(text, specification + kind, arguments.next<int>()); return taken + 1;
  case 's': {
    auto const* const string = arguments.next<char const*>();
    append(text, specification + kind, string ? string : "(null)");
    return taken + 1;
  }
  case 'p': append(text, specification + kind, arguments.next<void*>()); return taken + 1;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G': append(text, specification + kind, arguments.next<double>()); return taken + 1;
  default: format = c; return -1;
  }
}

/// int vprintf(char const* format, void* arguments): the number of arguments, -1 where the format is wrong.
void vprintf_of_device(thread&, std::uint64_t const* parameters) {
  auto const* format = parameter<char const*>(parameters, 0);
  packed_arguments arguments{parameter<std::byte const*>(parameters, 1)};
  std::string text;
  int count = 0;
  while (*format) {
    if (*format != '%') {
      text += *format++;
      continue;
    }
    char const* const from = format;
    int const taken = conversion(text, format, arguments);
    if (taken < 0) { // as it stands
      if (format == from) ++format;
      text.append(from, format);
    } else count += taken;
  }
  print(text, false);
  result(parameters, 2, count);
}

/// void __assertfail(char const* message, char const* file, unsigned line, char const* function, size_t char_size)
void assertion_fails(thread& t, std::uint64_t const* parameters) {
  auto const* const message = parameter<char const*>(parameters, 0);
  auto const* const file = parameter<char const*>(parameters, 1);
  auto const* const function = parameter<char const*>(parameters, 3);
  auto const three = [](std::array<std::uint32_t, 3> const& at) {
    return "[" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + "]";
  };
  print(std::string(file ? file : "") + ":" + std::to_string(parameter<unsigned>(parameters, 2)) + ": " +
            (function ? function : "") + ": block: " + three(t.block->ctaid) + ", thread: " + three(t.tid) +
            " Assertion `" + (message ? message : "") + "` failed.\n",
        true);
  fail(t, 710, std::string("an assertion failed: ") + (message ? message : ""));
}

/// Memory that kernels allocated by malloc.
struct heap {
  std::mutex mutex;
  std::unordered_set<void const*> blocks;
};
heap& the_heap() {
  static heap& only = *new heap; // kept: grids may run when the program ends
  return only;
}

void allocate(thread&, std::uint64_t const* parameters) {
  std::size_t const size = parameter<std::size_t>(parameters, 0);
  void* const memory = size > std::size_t(1) << 40 ? nullptr : std::malloc(size ? size : 1);
  if (memory) {
    std::lock_guard const lock(the_heap().mutex);
    the_heap().blocks.insert(memory);
  }
  if (is_checked_run() && memory)
    the_observer().allocated(static_cast<std::byte*>(memory), size, "memory of malloc", true);
  result(parameters, 1, memory);
}

void release(thread& t, std::uint64_t const* parameters) {
  auto* const memory = parameter<std::byte*>(parameters, 0);
  if (!memory) return;
  {
    std::lock_guard const lock(the_heap().mutex);
    if (!the_heap().blocks.erase(memory)) {
      char text[120];
      std::snprintf(text, sizeof text, "free(%p): malloc gave no such memory to a kernel, or it was freed before",
                    static_cast<void*>(memory));
      fail(t, 719, text);
    }
  }
  if (is_checked_run()) the_observer().freed(memory);
  std::free(memory);
}

void pure_virtual(thread& t, std::uint64_t const*) { fail(t, 719, "a pure virtual function was called"); }

} // namespace

void (*find_extern(std::string_view name))(thread&, std::uint64_t const*) {
  if (name == "vprintf") return vprintf_of_device;
  if (name == "__assertfail") return assertion_fails;
  if (name == "malloc") return allocate;
  if (name == "free") return release;
  if (name == "__cxa_pure_virtual") return pure_virtual; // tables of virtual functions name it
  return find_nested_extern(name);
}

void set_print_sink(void (*sink)(std::string_view text, bool is_error)) { print_sink = sink; }

} // namespace emulator
