// SPDX-License-Identifier: Apache-2.0
//
// atomicity_check: the check that checked builds make at a host access of system scope.
//
// Whether such an operation is atomic depends on the kind of memory and on the devices, not on the object, and for most
// kinds and operations the answer is always yes. So four questions remain for a process. Each is settled when an object
// first raises it; from then on, an access costs a call and two loads. The README explains why the result is a warning.
#include "../base/kept_errno.hpp"
#include "../base/report.hpp"
#include "../interface/boundary.hpp"
#include "../memory/shared_ranges.hpp"
#include "atomicity.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace cudax::runtime {
namespace {

enum question : unsigned char {
  modify_mapped = 1,
  load_or_store_managed = 2,
  modify_managed = 4,
  share_word = 8, // an object shares its word with others, in mapped memory
  all_managed = load_or_store_managed | modify_managed,
  all_questions = 15
};

constinit std::atomic<unsigned char> settled = 0;
constinit std::atomic<bool> misspelt = false; // the message about the value of CUDAX_ATOMICITY was printed

enum class severity { warning, stop, none, unknown };

severity wanted_severity() noexcept {
  char const* const wanted = std::getenv("CUDAX_ATOMICITY");
  if (!wanted || !*wanted || std::strcmp(wanted, "warn") == 0) return severity::warning;
  if (std::strcmp(wanted, "stop") == 0) return severity::stop;
  if (std::strcmp(wanted, "off") == 0) return severity::none;
  return severity::unknown;
}

/// Marks the questions as settled; true for the thread that settles them, which then reports.
bool settle(unsigned char questions) noexcept {
  return (settled.fetch_or(questions, std::memory_order_relaxed) & questions) != questions;
}

struct host_operation {
  void const volatile* object;
  size_t size;
  host_access how;
  char const* name;
};

/// Reports the access and, with CUDAX_ATOMICITY=stop, ends the program. `what` describes the defect; the program is
/// correct only as long as `condition` holds.
void warn_or_stop(severity how, host_operation const& about, char const* what, char const* why,
                  char const* condition) noexcept {
  bool const stops = how == severity::stop;
  report(
      "cudax.sync: %s%s of %zu byte%s at %p%s: %s. This is correct only as long as %s%s\n",
      stops ? "" : "warning: ", about.name, about.size, about.size == 1 ? "" : "s",
      const_cast<void const*>(about.object), what, why, condition,
      stops
          ? " (CUDAX_ATOMICITY=stop)"
          : ". Reported once; the environment variable CUDAX_ATOMICITY makes it an error (stop) or turns it off (off)");
  if (stops) std::abort();
}

void check_access(host_operation const& about, shared_range const& range, unsigned char raised) noexcept {
  kept_errno const keeps; // CUDA and /proc are queried in the middle of an atomic operation
  severity const how = wanted_severity();
  if (how == severity::none) {
    settle(all_questions);
    return;
  }
  if (how == severity::unknown && !misspelt.exchange(true, std::memory_order_relaxed))
    report("cudax.sync: CUDAX_ATOMICITY is '%s'; use warn, stop or off\n", std::getenv("CUDAX_ATOMICITY"));

  // For a shared word, the operations of devices are the question.
  bool const modifies = about.how == host_access::modify;
  atomicity_query const question{
      about.size, modifies || raised == share_word ? atomic_operation::read_modify_write : atomic_operation::load_store,
      0, nullptr, 0};
  atomicity_description answer;
  failure why;
  find_atomicity(about.object, question, answer, why);
  if (why.code == cuda::not_permitted) { // in a callback of a stream: the next access checks again
    unmark_shared(range, raised);
    return;
  }
  if (why.code != cuda::success) {
    // Settled all the same: otherwise every access would call CUDA.
    if (settle(all_questions))
      report("%s; so it is unknown whether operations at thread_scope_system are atomic\n", why.sentence);
    return;
  }
  constexpr char const* not_atomic = " at thread_scope_system is not atomic for the devices";
  switch (answer.memory) {
  case memory_type::registered:
  case memory_type::mapped: {
    bool const shares = (raised & share_word) && settle(share_word) && answer.neighbours != word_neighbours::unaffected;
    // The reason for a read-modify-write mentions the word, too.
    if ((raised & modify_mapped) && settle(modify_mapped) && answer.answer != atomicity_answer::yes)
      warn_or_stop(how, about, not_atomic, answer.reason, "no device modifies the object");
    else if (shares)
      warn_or_stop(how, about, ", whose word other objects share", answer.about_neighbours,
                   "devices do nothing but load and store the objects in the word");
    return;
  }
  case memory_type::managed: {
    if (!settle(modifies ? modify_managed : load_or_store_managed) || answer.answer == atomicity_answer::yes) return;
    if (!modifies) settle(modify_managed);
    return warn_or_stop(how, about, not_atomic, answer.reason, "no kernel runs");
  }
  default: return; // no longer shared
  }
}

char const* name_of(host_access how) noexcept {
  switch (how) {
  case host_access::load: return "a host thread's load";
  case host_access::store: return "a host thread's store";
  default: return "a host thread's read-modify-write";
  }
}

/// Returns the questions of `open` that an access to the object in the range raises.
unsigned char raised_by(void const volatile* object, size_t size, shared_range const& range, unsigned open) noexcept {
  switch (range.kind) {
  case sharing::none: return 0;
  case sharing::managed: return open & all_managed;
  default: break;
  }
  open &= modify_mapped | share_word;
  if (open & share_word) {
    auto const address = reinterpret_cast<std::uintptr_t>(object);
    if (address % size != 0 || beside(address, size, range) != word_neighbours::other_objects) open &= ~share_word;
  }
  return static_cast<unsigned char>(open);
}

void check_range(host_operation const& about, unsigned open) noexcept {
  shared_range const range = find_shared(about.object);
  unsigned char const raised = raised_by(about.object, about.size, range, open);
  if (raised == 0) return;
  auto const fresh = static_cast<unsigned char>(raised & ~mark_shared(range, raised));
  if (fresh != 0) check_access(about, range, fresh);
}

} // namespace

void check_atomicity(void const volatile* object, size_t size, host_access how) noexcept {
  // A question is open if memory of its kind was ever shared and the question is not settled.
  unsigned const kinds = shared_kinds();
  if (kinds == 0) return;
  bool const modifies = how == host_access::modify;
  unsigned open = 0;
  if (kinds & (bit(sharing::mapped) | bit(sharing::registered))) {
    if (modifies) open |= modify_mapped;
    if (size < 4 && how != host_access::load) open |= share_word;
  }
  if (kinds & bit(sharing::managed)) open |= modifies ? modify_managed : load_or_store_managed;
  open &= ~unsigned{settled.load(std::memory_order_relaxed)};
  if (open != 0) check_range({object, size, how, name_of(how)}, open);
}

void check_registered(void const volatile* object, size_t size) noexcept {
  unsigned const open = share_word & ~unsigned{settled.load(std::memory_order_relaxed)};
  if (open != 0) check_range({object, size, host_access::store, "registered: an object"}, open);
}

void forget_atomicity_answers() noexcept {
  settled.store(0, std::memory_order_relaxed);
  misspelt.store(false, std::memory_order_relaxed);
}

} // namespace cudax::runtime
