// SPDX-License-Identifier: Apache-2.0
//
// atomicity_check: what checked builds ask at a host access of system scope.
//
// Whether such an operation is atomic depends on the kind of memory and on the devices, not on the object, and for most
// kinds and operations there is no doubt. So there are three questions for a process, and each is settled the first
// time that an object raises it: from then on an access costs a call and two loads. The README argues why the answer is a warning.
#include "atomicity.hpp"
#include "boundary.hpp"
#include "shared_ranges.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace cudax::runtime {
namespace {

enum question : unsigned char { modify_mapped = 1, load_or_store_managed = 2, modify_managed = 4, all_questions = 7 };

constinit std::atomic<unsigned char> settled = 0;
constinit std::atomic<bool> misspelt = false; // said that CUDAX_ATOMICITY is

enum class report { warning, stop, none, unknown };

report wanted_report() noexcept {
  char const* const wanted = std::getenv("CUDAX_ATOMICITY");
  if (!wanted || !*wanted || std::strcmp(wanted, "warn") == 0) return report::warning;
  if (std::strcmp(wanted, "stop") == 0) return report::stop;
  if (std::strcmp(wanted, "off") == 0) return report::none;
  return report::unknown;
}

/// True for the thread that settles them: it is the one to speak.
bool settle(unsigned char questions) noexcept {
  return (settled.fetch_or(questions, std::memory_order_relaxed) & questions) != questions;
}

void ask_about(void const volatile* object, size_t size, bool modifies, unsigned char raised) noexcept {
  report const how = wanted_report();
  if (how == report::none) {
    settle(all_questions);
    return;
  }
  if (how == report::unknown && !misspelt.exchange(true, std::memory_order_relaxed))
    std::fprintf(stderr, "cudax.sync: CUDAX_ATOMICITY is '%s'; use warn, stop or off\n",
                 std::getenv("CUDAX_ATOMICITY"));

  atomicity_question const question{size, modifies ? atomic_operation::read_modify_write : atomic_operation::load_store,
                                    0, nullptr, 0};
  atomicity_description answer;
  failure why;
  find_atomicity(object, question, answer, why);
  if (why.code == cuda::not_permitted) { // in a callback of a stream: the next access asks
    unmark_shared(object, raised);
    return;
  }
  if (why.code != cuda::success) {
    // Settled all the same: an access that asks CUDA each time would be no access any more.
    if (settle(all_questions))
      std::fprintf(stderr, "%s; so it is not known whether operations at thread_scope_system are atomic\n",
                   why.sentence);
    return;
  }
  unsigned char about = 0;
  char const* right_while = "";
  switch (answer.memory) {
  case memory_type::registered:
  case memory_type::mapped:
    about = modify_mapped;
    right_while = "this is right only while no device modifies the object";
    break;
  case memory_type::managed:
    about = modifies ? modify_managed : load_or_store_managed;
    right_while = "this is right only while no kernel runs";
    break;
  default: return; // it is not shared any more
  }
  if (!settle(about) || answer.answer == atomicity_answer::yes) return;
  if (about == load_or_store_managed) settle(modify_managed);
  bool const stops = how == report::stop;
  if (stops) std::fflush(stdout);
  std::fprintf(
      stderr,
      "cudax.sync: %sa host thread's %s of %zu bytes at %p at thread_scope_system is not atomic for the devices: %s. "
      "As it is, %s%s\n",
      stops ? "" : "warning: ", modifies ? "read-modify-write" : "load or store", size, const_cast<void const*>(object),
      answer.reason, right_while,
      stops ? " (CUDAX_ATOMICITY=stop)"
            : ". Said once; the environment variable CUDAX_ATOMICITY makes it an error (stop) or silent (off)");
  if (stops) std::abort();
}

} // namespace

void ask_atomicity(void const volatile* object, size_t size, bool modifies) noexcept {
  // What is open: raised by memory that there was ever, and not settled.
  unsigned const kinds = shared_kinds();
  if (kinds == 0) return;
  unsigned char open = 0;
  if (modifies && (kinds & (bit(sharing::mapped) | bit(sharing::registered)))) open |= modify_mapped;
  if (kinds & bit(sharing::managed)) open |= modifies ? modify_managed : load_or_store_managed;
  open &= static_cast<unsigned char>(~settled.load(std::memory_order_relaxed));
  if (open == 0) return;
  unsigned char before = 0;
  sharing const how = mark_shared(object, open, before);
  unsigned char const raised = how == sharing::none      ? 0
                               : how == sharing::managed ? modify_managed | load_or_store_managed
                                                         : modify_mapped;
  auto const fresh = static_cast<unsigned char>(open & raised & ~before);
  if (fresh != 0) ask_about(object, size, modifies, fresh);
}

void forget_atomicity_answers() noexcept {
  settled.store(0, std::memory_order_relaxed);
  misspelt.store(false, std::memory_order_relaxed);
}

} // namespace cudax::runtime
