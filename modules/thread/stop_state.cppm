// SPDX-License-Identifier: Apache-2.0
//
// stop_state: whether stop was requested, and by whom.
//
// The request is one word that is stored once, so that asking is one load, and that it can stand in mapped memory, where
// a host's and a device's read-modify-write operations may not be atomic to each other, but loads and stores are. Exactly
// one request is the first, and it stores the word; the others wait until it is there. Among the threads of a side a
// compare-and-swap of that side's own word decides; between the sides, which write different words, each claims in its own
// and then looks at the other's, with a seq_cst fence between, so that one of them sees the other at least. The device
// decides at once: it has lost if it sees a claim. The host, if it sees one, waits for the few steps in which the device
// decides, and has lost only if the device has won. At a scope narrower than the system there is one side.
//
// The host's callbacks form a list; its nodes lie in the callbacks. The host thread whose request is the first calls them,
// before it returns: [stopsource.mem]. No other thread that requests does, and what threads that poll have taken out of the
// list meanwhile the first one waits for. Where a device is the first, no thread of the host owes the calls, and those that
// come make them. A device's callbacks are in no list (stop_callback).
module;
#include "../../runtime/boundary.hpp"
#include "../base/macros.hpp"
export module cudax.sync:stop_state;
import :bits;
import :duration;
import :machine;
import :modify;
import :mutex;
import :order;
import :scope;
import :wait;

CUDAX_EVERYWHERE_BEGIN

namespace cudax::machine {

/// A callback as the state sees it.
struct stop_node {
  stop_node* next;
  stop_node* previous;
  void (*run)(stop_node*) noexcept; // of the host alone
  bool pending;                     // in the list; on a device: not run yet
  bool entered;                     // was in the list, on the host

  inline void link(stop_node*& first) noexcept {
    next = first;
    previous = nullptr;
    if (first) first->previous = this;
    first = this;
    pending = entered = true;
  }
  inline void unlink(stop_node*& first) noexcept {
    (previous ? previous->next : first) = next;
    if (next) next->previous = previous;
    pending = false;
  }
};

enum stop_claim : u32 { stop_unclaimed, stop_claimed, stop_won, stop_lost };

} // namespace cudax::machine

export namespace cudax {

template <thread_scope Scope>
class stop_state;
template <thread_scope Scope>
void init(stop_state<Scope>* object) noexcept;
template <thread_scope Scope>
class stop_source;
template <thread_scope Scope>
class stop_token;
template <class Callback, thread_scope Scope>
class stop_callback;

/// What the sources, tokens and callbacks of one stop share. The program places it where those who use it can reach it: in
/// mapped or managed memory for host and device, in global memory for the threads of a device, in shared memory for those of
/// a block. Sources and tokens are pointers to it: they are copied freely, also as a kernel's arguments, and the state
/// has to outlive their use. For host and device: `auto s = make_mapped<stop_state<>>();`, a source and tokens of `*s` for
/// the host, and of `*s.device_pointer()` for kernels, which is the same address on all but a few systems
/// (device_info::can_use_host_pointer_for_registered_mem).
/// Source:   extension; in the place of the stop state of [stoptoken.general], which is allocated
/// Scope:    Scope, where thread_scope_thread means the block; threads outside it must not use the object. Loads and stores
///           of host and device suffice, so mapped memory will do; several devices that request must be able to modify it
///           atomically, or more than one may be told that its request was the first
/// Requires: the default constructor does nothing, so that the object can stand in shared memory: make it with braces,
///           `stop_state<> s{};`, or static, or call init before any other use
template <thread_scope Named = thread_scope_system>
class stop_state {
  static_assert(exists(Named), "cudax.sync: stop_state<Scope>: this thread scope does not exist; use an enumerator of "
                               "cudax::thread_scope");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  stop_state() = default;
  stop_state(stop_state const&) = delete;
  stop_state& operator=(stop_state const&) = delete;

private:
  friend void init<Named>(stop_state* object) noexcept;
  friend stop_source<Named>;
  friend stop_token<Named>;
  template <class Callback, thread_scope S>
  friend class stop_callback;

  static constexpr bool two_sides = Scope == thread_scope_system;

  bool stored() const noexcept { return machine::load<Scope, u32>(&requested_, memory_order::relaxed) != 0; }

  bool requested() const noexcept {
    if (!stored()) return false;
    machine::acquire_seen<Scope, u32>(&requested_); // pairs with the store of the first request
    return true;
  }

  /// Whether a device's request was the first: no host thread runs the callbacks for it.
  bool device_won() const noexcept {
    return two_sides && machine::load<Scope, u32>(&device_claim_, memory_order::relaxed) == machine::stop_won;
  }

  bool request() noexcept {
    bool const first = !requested() && claim();
    if (first) {
      machine::store<Scope, u32>(&requested_, 1, memory_order::release); // pairs with requested()
      machine::wake<Scope>(&requested_);
    } else if (!requested()) {
      machine::block_until<Scope>(&requested_, [this]() noexcept { return stored(); }, forever);
      machine::acquire_seen<Scope, u32>(&requested_);
    }
    if constexpr (!CUDAX_ON_DEVICE) {
      if (first || device_won()) run_callbacks();
      if (first) await_polled();
    }
    return first;
  }

  /// Returns true to exactly one caller. Relaxed, but for the fence: it decides who stores, and what the others have to see
  /// comes with that store. The host's threads alone modify the host's word, so it need not be atomic to the device: the
  /// device only loads it.
  bool claim() noexcept {
    constexpr thread_scope modifiers = two_sides && !CUDAX_ON_DEVICE ? thread_scope_device : Scope;
    u32* const own = CUDAX_ON_DEVICE ? &device_claim_ : &host_claim_;
    u32* const other = CUDAX_ON_DEVICE ? &host_claim_ : &device_claim_;
    auto const look = [other]() noexcept { return machine::load<Scope, u32>(other, memory_order::relaxed); };
    u32 seen = machine::stop_unclaimed;
    if (!machine::compare_exchange<modifiers, u32>(own, seen, machine::stop_claimed, memory_order::relaxed,
                                                   memory_order::relaxed))
      return false;
    if constexpr (!two_sides) return true;
    machine::fence<Scope>(memory_order::seq_cst); // see above
    if constexpr (CUDAX_ON_DEVICE) {
      bool const won = look() == machine::stop_unclaimed;
      machine::store<Scope, u32>(own, won ? machine::stop_won : machine::stop_lost, memory_order::relaxed);
      return won;
    } else {
      auto const decided = [&look]() noexcept { return look() != machine::stop_claimed; };
      machine::block_until<Scope>(other, decided, forever);
      return look() != machine::stop_won;
    }
  }

  // --- the host's callbacks ------------------------------------------------------------------------------------------

  /// Enters a callback into the list, unless stop was requested: the thread whose request is the first looks into the list
  /// after it has stored the request, and under the lock, so it finds the node, or the node finds the request.
  bool enter(machine::stop_node& node) noexcept {
    callbacks_lock_.lock();
    bool const in_time = !requested();
    if (in_time) node.link(first_);
    callbacks_lock_.unlock();
    return in_time;
  }

  /// Takes a callback out; returns whether it was in, so that nobody else runs it.
  bool withdraw(machine::stop_node& node) noexcept {
    callbacks_lock_.lock();
    bool const was_in = node.pending;
    if (was_in) node.unlink(first_);
    callbacks_lock_.unlock();
    return was_in;
  }

  /// Runs a callback in a thread that polls it, unless it was taken out of the list before.
  void run_polled(machine::stop_node& node) noexcept {
    callbacks_lock_.lock();
    bool const was_in = node.pending;
    if (was_in) {
      node.unlink(first_);
      // Relaxed: the lock orders it (await_polled).
      machine::reduce<modification::add, thread_scope_device, u32>(&polled_, 1, memory_order::relaxed);
    }
    callbacks_lock_.unlock();
    if (!was_in) return;
    node.run(&node); // may end the callback's life
    // Release: pairs with await_polled, after which the first request returns.
    machine::reduce<modification::add, thread_scope_device, u32>(&polled_, u32(0) - 1, memory_order::release);
    machine::wake<thread_scope_device>(&polled_);
  }

  /// Waits until no thread that polls runs a callback. The list is empty and stays so: each count was added under the lock
  /// before this thread found the list empty under the lock, so the count only falls.
  void await_polled() const noexcept {
    auto const ended = [this](memory_order order) noexcept {
      return machine::load<thread_scope_device, u32>(&polled_, order) == 0;
    };
    while (!ended(memory_order::acquire))
      machine::block_until<thread_scope_device>(
          &polled_, [&ended]() noexcept { return ended(memory_order::relaxed); }, forever);
  }

  /// Runs the callbacks in the list, one after the other. One thread does: the first that requested or, where a device was
  /// the first, the one that comes first; others that come meanwhile, callbacks that request among them, leave it to that one.
  void run_callbacks() noexcept {
    callbacks_lock_.lock();
    if (runner_ == 0) {
      runner_ = runtime::thread_number();
      while (machine::stop_node* const node = first_) {
        node->unlink(first_);
        machine::store<thread_scope_device, u64>(&running_, (u64)node, memory_order::relaxed); // read under the lock
        callbacks_lock_.unlock();
        node->run(node); // may end the callback's life, and then this thread knows no node any more
        // Release: pairs with await_end, behind which the callback's object ends.
        machine::store<thread_scope_device, u64>(&running_, 0, memory_order::release);
        machine::wake<thread_scope_device>(&running_);
        callbacks_lock_.lock();
      }
      runner_ = 0;
    }
    callbacks_lock_.unlock();
  }

  /// Waits while another thread runs this callback; one that ends its own callback does not wait.
  void await_end(machine::stop_node const& node) noexcept {
    auto const runs = [this, &node](memory_order order) noexcept {
      return machine::load<thread_scope_device, u64>(&running_, order) == (u64)&node;
    };
    callbacks_lock_.lock();
    bool const is_run_elsewhere = runs(memory_order::acquire) && runner_ != runtime::thread_number();
    callbacks_lock_.unlock();
    if (!is_run_elsewhere) return;
    while (runs(memory_order::acquire))
      machine::block_until<thread_scope_device>(
          &running_, [&runs]() noexcept { return !runs(memory_order::relaxed); }, forever);
  }

  u32 requested_;
  u32 host_claim_;
  u32 device_claim_;
  mutex<thread_scope_device> callbacks_lock_; // of host threads
  machine::stop_node* first_;
  u64 running_; // the node that is being run
  u64 runner_;  // the thread that runs callbacks, or 0
  u32 polled_;  // callbacks that are being run by threads that poll them
};

/// Makes a state in which nothing was requested.
/// Source:   extension
/// Order:    none: the threads that use it synchronize with the caller by other means, as __syncthreads or a launch
/// Requires: no source, token or callback uses the state meanwhile
template <thread_scope Scope>
void init(stop_state<Scope>* object) noexcept {
  object->requested_ = 0;
  object->host_claim_ = machine::stop_unclaimed;
  object->device_claim_ = machine::stop_unclaimed;
  init(&object->callbacks_lock_);
  object->first_ = nullptr;
  object->running_ = 0;
  object->runner_ = 0;
  object->polled_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
