// SPDX-License-Identifier: Apache-2.0
//
// stop_state: whether stop was requested, and which side requested first.
//
// The request is one word that is stored once. So stop_requested is one load. The word can also be in mapped memory,
// where the read-modify-writes of host and device may not be atomic to each other, but loads and stores are. Exactly
// one request is the first one. Its thread stores the word; the threads of all other requests wait until the word is
// stored.
//   Which request is first is decided by claims. Each side has a claim word that only its own threads write. Among the
//   threads of one side, a compare-and-swap of the claim word decides. Between the sides, each side claims in its own
//   word and then loads the other side's word, with a seq_cst fence between the two accesses. So at least one side sees
//   the other side's claim. The device decides immediately: it has lost if it sees a claim of the host. If the host
//   sees a claim of the device, it waits for the few steps in which the device decides; the host has lost only if the
//   device has won. At a scope narrower than the system there is only one side.
//
// The host's callbacks form an intrusive list, whose nodes are part of the callbacks. If a host thread's request is the
// first, that thread calls the callbacks before it returns ([stopsource.mem]); the threads of later requests do not
// call them. A thread that polls a callback may take it out of the list and call it; the thread of the first request
// waits until such calls have ended. If a device's request is the first, no particular host thread has to make the
// calls: the host threads that request, poll or destroy a callback make them. A device's callbacks are in no list (see
// stop_callback).
module;
#include "../../runtime/interface/boundary.hpp"
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

namespace cudax::thread_detail {

/// The part of a callback that the state uses: a list node.
struct stop_node {
  stop_node* next;
  stop_node* previous;
  void (*run)(stop_node*) noexcept; // only on the host
  bool pending;                     // on the host: in the list; on a device: not run yet
  bool entered;                     // on the host: was put into the list

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

} // namespace cudax::thread_detail

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

/// Holds the state that the sources, tokens and callbacks of one stop share. The program places it in memory that its
/// users can access: mapped or managed memory for host and device, global memory for the threads of a device, shared
/// memory for the threads of a block. Sources and tokens are pointers to the state: they can be copied freely, also as
/// kernel arguments. For host and device: `auto s = make_mapped<stop_state<>>();`. Make the host's sources and tokens
/// from `*s`, and those for kernels from `*s.device_pointer()`; both addresses are the same on all but a few systems
/// (device_info::can_use_host_pointer_for_registered_mem).
/// Source:   extension; replaces the stop state of [stoptoken.general], which is allocated
/// Scope:    Scope, where thread_scope_thread means the block; threads outside Scope must not use the object. Between
///           host and device only loads and stores must be atomic, so mapped memory is sufficient. If several devices
///           request stop, the state must be in memory in which the devices' read-modify-writes are atomic to each
///           other; otherwise request_stop may return true on more than one device
/// Requires: as mutex, for its construction. The state outlives the use of its sources, tokens and callbacks
/// Example:
///     __global__ void search(cudax::stop_token<> stop) { while (!stop.stop_requested()) { /* one step */ } }
///     void search_for(std::chrono::milliseconds limit) {
///       auto const state = cudax::make_mapped<cudax::stop_state<>>();
///       search<<<1, 1>>>(cudax::stop_source(*state.device_pointer()).get_token());
///       cudax::this_thread::sleep_for(limit);
///       cudax::stop_source(*state).request_stop();
///       cudaDeviceSynchronize();
///     }
template <thread_scope Named = thread_scope_system>
class stop_state {
  CUDAX_ENSURE_SCOPE(Named, "stop_state<Scope>");
  static constexpr thread_scope Scope = scope_among_threads(Named);

public:
  constexpr stop_state() noexcept
    requires(is_wider_than_cluster(Named))
    : requested_(0), host_claim_(thread_detail::stop_unclaimed), device_claim_(thread_detail::stop_unclaimed),
      callbacks_lock_(), first_(nullptr), running_(0), runner_(0), polled_(0) {}
  stop_state() noexcept
    requires(!is_wider_than_cluster(Named))
  = default;
  stop_state(stop_state const&) = delete;
  stop_state& operator=(stop_state const&) = delete;

private:
  friend void init<Named>(stop_state* object) noexcept;
  friend stop_source<Named>;
  friend stop_token<Named>;
  template <class Callback, thread_scope S>
  friend class stop_callback;

  static constexpr bool two_sides = Scope == thread_scope_system;

  bool is_request_stored() const noexcept { return machine::load<Scope, u32>(&requested_, memory_order::relaxed) != 0; }

  bool requested() const noexcept {
    if (!is_request_stored()) return false;
    machine::upgrade_to_acquire<Scope, u32>(&requested_); // pairs with the release store in request()
    return true;
  }

  /// Returns whether a device's request was the first. If so, no particular host thread has to run the callbacks.
  bool device_won() const noexcept {
    return two_sides && machine::load<Scope, u32>(&device_claim_, memory_order::relaxed) == thread_detail::stop_won;
  }

  bool request() noexcept {
    bool const first = !requested() && claim();
    if (first) {
      machine::store<Scope, u32>(&requested_, 1, machine::before_wake<memory_order::release>); // pairs with requested()
      machine::wake<Scope>(&requested_);
    } else if (!requested()) {
      machine::block_until<Scope>(&requested_,
                                  CUDAX_AWAITS([this]() noexcept { return is_request_stored(); },
                                               "stop_source::request_stop: the first request has not taken effect"),
                                  forever);
      machine::upgrade_to_acquire<Scope, u32>(&requested_);
    }
    if constexpr (!CUDAX_ON_DEVICE) {
      if (first || device_won()) run_callbacks();
      if (first) wait_for_polled_callbacks();
    }
    return first;
  }

  /// Claims the first request; returns true to exactly one caller. All accesses are relaxed, except for the fence: the
  /// claim only decides which thread stores requested_, and the other threads acquire from that store. Only host
  /// threads modify the host's claim word, and the device only loads it. So the host's compare-and-swap need not be
  /// atomic to the device.
  bool claim() noexcept {
    constexpr thread_scope modifiers = two_sides && !CUDAX_ON_DEVICE ? thread_scope_device : Scope;
    u32* const own = CUDAX_ON_DEVICE ? &device_claim_ : &host_claim_;
    u32* const other = CUDAX_ON_DEVICE ? &host_claim_ : &device_claim_;
    auto const load_other = [other]() noexcept { return machine::load<Scope, u32>(other, memory_order::relaxed); };
    u32 seen = thread_detail::stop_unclaimed;
    if (!machine::compare_exchange<modifiers, u32>(own, seen, thread_detail::stop_claimed, memory_order::relaxed,
                                                   memory_order::relaxed))
      return false;
    if constexpr (!two_sides) return true;
    machine::fence<Scope>(memory_order::seq_cst); // at least one side sees the other's claim (top of this file)
    if constexpr (CUDAX_ON_DEVICE) {
      bool const won = load_other() == thread_detail::stop_unclaimed;
      machine::store<Scope, u32>(own, won ? thread_detail::stop_won : thread_detail::stop_lost, memory_order::relaxed);
      return won;
    } else {
      auto const decided = [&load_other]() noexcept { return load_other() != thread_detail::stop_claimed; };
      machine::block_until<Scope>(
          other, CUDAX_AWAITS(decided, "stop_source::request_stop: a device has not completed its request"), forever);
      return load_other() != thread_detail::stop_won;
    }
  }

  // --- the host's callbacks ------------------------------------------------------------------------------------------

  /// Puts a callback into the list unless stop was requested; returns whether it did. No callback is missed: the thread
  /// of the first request stores requested_ and then reads the list under the lock. So either that thread finds the
  /// node, or this function, also under the lock, finds the request.
  bool add_callback(thread_detail::stop_node& node) noexcept {
    callbacks_lock_.lock();
    bool const in_time = !requested();
    if (in_time) node.link(first_);
    callbacks_lock_.unlock();
    return in_time;
  }

  /// Removes a callback from the list; returns whether it was in the list. If so, no other thread runs it.
  bool remove_callback(thread_detail::stop_node& node) noexcept {
    callbacks_lock_.lock();
    bool const was_in = node.pending;
    if (was_in) node.unlink(first_);
    callbacks_lock_.unlock();
    return was_in;
  }

  /// Runs a callback in the thread that polls it, unless the callback has already been removed from the list.
  void run_polled(thread_detail::stop_node& node) noexcept {
    callbacks_lock_.lock();
    bool const was_in = node.pending;
    if (was_in) {
      node.unlink(first_);
      // Relaxed: the lock orders it (see wait_for_polled_callbacks).
      machine::reduce<modification::add, thread_scope_device, u32>(&polled_, 1, memory_order::relaxed);
    }
    callbacks_lock_.unlock();
    if (!was_in) return;
    node.run(&node); // may end the callback's lifetime
    // Release: pairs with the acquire in wait_for_polled_callbacks, after which the first request returns.
    machine::reduce<modification::add, thread_scope_device, u32>(&polled_, u32(0) - 1,
                                                                 machine::before_wake<memory_order::release>);
    machine::wake<thread_scope_device>(&polled_);
  }

  /// Blocks until no polling thread runs a callback. polled_ only decreases meanwhile: it is incremented only under the
  /// lock, by a thread that removes a node, and this thread has already found the list empty under the lock. The list
  /// stays empty because stop was requested.
  void wait_for_polled_callbacks() const noexcept {
    auto const ended = [this](memory_order order) noexcept {
      return machine::load<thread_scope_device, u32>(&polled_, order) == 0;
    };
    while (!ended(memory_order::acquire))
      machine::block_until<thread_scope_device>(
          &polled_,
          CUDAX_AWAITS([&ended]() noexcept { return ended(memory_order::relaxed); },
                       "stop_source::request_stop: callbacks that have not returned, in the threads that poll: #",
                       machine::load<thread_scope_device, u32>(&polled_, memory_order::relaxed)),
          forever);
  }

  /// Runs the callbacks in the list, one after the other. Only one thread at a time does so: the thread of the first
  /// request or, if a device's request was the first, the first host thread that calls this function. If a thread is
  /// already running them, the function returns. That thread may be the caller itself: a callback may request stop.
  void run_callbacks() noexcept {
    callbacks_lock_.lock();
    if (runner_ == 0) {
      runner_ = runtime::thread_number();
      while (thread_detail::stop_node* const node = first_) {
        node->unlink(first_);
        // Release, as the store of 0 below: wait_for_callback of the callback before may read this value in place of 0.
        // A later store of the same thread is in no release sequence ([intro.races]), so it has to release by itself.
        machine::store<thread_scope_device, u64>(&running_, (u64)node, memory_order::release);
        callbacks_lock_.unlock();
        node->run(node); // may end the callback's lifetime; node must not be dereferenced after this line
        // Release: pairs with the acquire in wait_for_callback, after which the callback's object ends.
        machine::store<thread_scope_device, u64>(&running_, 0, machine::before_wake<memory_order::release>);
        machine::wake<thread_scope_device>(&running_);
        callbacks_lock_.lock();
      }
      runner_ = 0;
    }
    callbacks_lock_.unlock();
  }

  /// Blocks while another thread runs this callback. If the calling thread itself runs it, because the callback
  /// destroys its own object, the function does not block.
  void wait_for_callback(thread_detail::stop_node const& node) noexcept {
    auto const runs = [this, &node](memory_order order) noexcept {
      return machine::load<thread_scope_device, u64>(&running_, order) == (u64)&node;
    };
    callbacks_lock_.lock();
    bool const is_run_elsewhere = runs(memory_order::acquire) && runner_ != runtime::thread_number();
    callbacks_lock_.unlock();
    if (!is_run_elsewhere) return;
    while (runs(memory_order::acquire))
      machine::block_until<thread_scope_device>(
          &running_,
          CUDAX_AWAITS([&runs]() noexcept { return !runs(memory_order::relaxed); },
                       "~stop_callback: the callback has not returned, in the thread that requested stop"),
          forever);
  }

  u32 requested_;
  u32 host_claim_;
  u32 device_claim_;
  mutex<two_sides ? thread_scope_device : Scope> callbacks_lock_; // only host threads take it
  thread_detail::stop_node* first_;
  u64 running_; // address of the node whose callback runs in run_callbacks, or 0
  u64 runner_;  // number of the thread in run_callbacks, or 0
  u32 polled_;  // number of callbacks that polling threads are running
};

/// Makes a state in which stop was not requested.
/// Source:   extension
/// Order:    none: a plain initialization
/// Requires: no source, token or callback uses the state during the call
template <thread_scope Scope>
void init(stop_state<Scope>* object) noexcept {
  object->requested_ = 0;
  object->host_claim_ = thread_detail::stop_unclaimed;
  object->device_claim_ = thread_detail::stop_unclaimed;
  init(&object->callbacks_lock_);
  object->first_ = nullptr;
  object->running_ = 0;
  object->runner_ = 0;
  object->polled_ = 0;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
