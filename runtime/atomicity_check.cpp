// SPDX-License-Identifier: Apache-2.0
//
// atomicity_check: what checked builds ask at a host access of system scope.
//
// Whether such an operation is atomic depends on the kind of memory and on the devices, not on the object, and for most
// kinds and operations there is no doubt. So there are four questions for a process, and each is settled the first
// time that an object raises it: from then on an access costs a call and two loads. The README argues why the answer is a
// warning.
#include "atomicity.hpp"
#include "boundary.hpp"
#include "report.hpp"
#include "shared_ranges.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace cudax::runtime {
namespace {

enum question : unsigned char {
  modify_mapped = 1,
  load_or_store_managed = 2,
  modify_managed = 4,
  share_word = 8, // with other objects, in mapped memory
  all_managed = load_or_store_managed | modify_managed,
  all_questions = 15
};

constinit std::atomic<unsigned char> settled = 0;
constinit std::atomic<bool> misspelt = false; // said that CUDAX_ATOMICITY is

enum class severity { warning, stop, none, unknown };

severity wanted_severity() noexcept {
  char const* const wanted = std::getenv("CUDAX_ATOMICITY");
  if (!wanted || !*wanted || std::strcmp(wanted, "warn") == 0) return severity::warning;
  if (std::strcmp(wanted, "stop") == 0) return severity::stop;
  if (std::strcmp(wanted, "off") == 0) return severity::none;
  return severity::unknown;
}

/// True for the thread that settles them: it is the one to speak.
bool settle(unsigned char questions) noexcept {
  return (settled.fetch_or(questions, std::memory_order_relaxed) & questions) != questions;
}

struct asked_operation {
  void const volatile* object;
  size_t size;
  host_access how;
  char const* name;
};

/// Says it, and ends the program where the environment wants that. `what` is wrong, which is right only while `condition`.
void say(severity how, asked_operation const& about, char const* what, char const* why,
         char const* condition) noexcept {
  bool const stops = how == severity::stop;
  report("cudax.sync: %s%s of %zu byte%s at %p%s: %s. As it is, this is right only while %s%s\n",
         stops ? "" : "warning: ", about.name, about.size, about.size == 1 ? "" : "s",
         const_cast<void const*>(about.object), what, why, condition,
         stops ? " (CUDAX_ATOMICITY=stop)"
               : ". Said once; the environment variable CUDAX_ATOMICITY makes it an error (stop) or silent (off)");
  if (stops) std::abort();
}

void ask_about(asked_operation const& about, shared_range const& range, unsigned char raised) noexcept {
  severity const how = wanted_severity();
  if (how == severity::none) {
    settle(all_questions);
    return;
  }
  if (how == severity::unknown && !misspelt.exchange(true, std::memory_order_relaxed))
    report("cudax.sync: CUDAX_ATOMICITY is '%s'; use warn, stop or off\n", std::getenv("CUDAX_ATOMICITY"));

  // Of a word that is shared, what a device may do is the question.
  bool const modifies = about.how == host_access::modify;
  atomicity_question const question{
      about.size, modifies || raised == share_word ? atomic_operation::read_modify_write : atomic_operation::load_store,
      0, nullptr, 0};
  atomicity_description answer;
  failure why;
  find_atomicity(about.object, question, answer, why);
  if (why.code == cuda::not_permitted) { // in a callback of a stream: the next access asks
    unmark_shared(range, raised);
    return;
  }
  if (why.code != cuda::success) {
    // Settled all the same: an access that asks CUDA each time would be no access any more.
    if (settle(all_questions))
      report("%s; so it is not known whether operations at thread_scope_system are atomic\n", why.sentence);
    return;
  }
  constexpr char const* not_atomic = " at thread_scope_system is not atomic for the devices";
  switch (answer.memory) {
  case memory_type::registered:
  case memory_type::mapped: {
    bool const shares = (raised & share_word) && settle(share_word) && answer.neighbours != word_neighbours::unaffected;
    // The reason of a read-modify-write speaks of the word, too.
    if ((raised & modify_mapped) && settle(modify_mapped) && answer.answer != atomicity_answer::yes)
      say(how, about, not_atomic, answer.reason, "no device modifies the object");
    else if (shares)
      say(how, about, ", whose word other objects share", answer.about_neighbours,
          "devices do nothing but load and store the objects in the word");
    return;
  }
  case memory_type::managed: {
    if (!settle(modifies ? modify_managed : load_or_store_managed) || answer.answer == atomicity_answer::yes) return;
    if (!modifies) settle(modify_managed);
    return say(how, about, not_atomic, answer.reason, "no kernel runs");
  }
  default: return; // it is not shared any more
  }
}

char const* name_of(host_access how) noexcept {
  switch (how) {
  case host_access::load: return "a host thread's load";
  case host_access::store: return "a host thread's store";
  default: return "a host thread's read-modify-write";
  }
}

/// The questions of `open` that an object raises in a range.
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

void ask(asked_operation const& about, unsigned open) noexcept {
  shared_range const range = find_shared(about.object);
  unsigned char const raised = raised_by(about.object, about.size, range, open);
  if (raised == 0) return;
  auto const fresh = static_cast<unsigned char>(raised & ~mark_shared(range, raised));
  if (fresh != 0) ask_about(about, range, fresh);
}

} // namespace

void ask_atomicity(void const volatile* object, size_t size, host_access how) noexcept {
  // What is open: raised by memory that there was ever, and not settled.
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
  if (open != 0) ask({object, size, how, name_of(how)}, open);
}

void ask_registered(void const volatile* object, size_t size) noexcept {
  unsigned const open = share_word & ~unsigned{settled.load(std::memory_order_relaxed)};
  if (open != 0) ask({object, size, host_access::store, "registered: an object"}, open);
}

void forget_atomicity_answers() noexcept {
  settled.store(0, std::memory_order_relaxed);
  misspelt.store(false, std::memory_order_relaxed);
}

} // namespace cudax::runtime
