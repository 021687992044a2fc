// SPDX-License-Identifier: Apache-2.0
//
// stop_token: requesting a stop, and polling for the request.  [thread.stoptoken]
//
// A host thread can request that a kernel stop. A kernel can request that host threads stop. A thread can also request
// that other threads of its own side stop. Sources and tokens are pointers to a stop_state that the program has placed,
// as std::inplace_stop_token is (C++26); stop_state.cppm has the protocol.
//
// A callback runs once, on the side that made it, if stop is requested during its lifetime.
//   On the host, if a host thread's request is the first, that thread runs the callback before request_stop returns
//   true, as the standard requires. A thread that polls the callback meanwhile may run it instead; request_stop then
//   waits for the end of that call. If a device's request is the first, the device cannot run host code. Then the
//   callback runs in the first host thread that also requests stop, polls the callback, or ends its lifetime.
//   On a device, only the thread that made the callback runs it, when it polls the callback or ends its lifetime. The
//   object is in local memory, which no other thread can access.
module;
#include "../base/macros.hpp"
export module cudax.sync:stop_token;
import :bits;
import :scope;
import :stop_state;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Tells whether stop was requested. A token is a pointer to a stop_state.
/// Source:   [stoptoken]; the scope is an extension
/// Scope:    Scope, as of stop_state
/// Requires: the state outlives the use of its tokens
/// Example:
///     __global__ void count(cudax::stop_token<> stop, long* steps) {
///       while (!stop.stop_requested()) ++*steps;
///     }
template <thread_scope Scope = thread_scope_system>
class stop_token {
public:
  template <class Callback>
  using callback_type = stop_callback<Callback, Scope>;

  /// Makes a token without a state: stop can never be requested through it.
  constexpr stop_token() noexcept = default;

  /// Returns whether stop was requested. Costs one load if it was not.
  /// Order:    acquire if it returns true; pairs with the first request
  [[nodiscard]] bool stop_requested() const noexcept { return state_ && state_->requested(); }

  /// Returns whether the token has a state. Unlike in the standard, it is not known whether a source exists: sources
  /// are pointers and are not counted.
  [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }

  void swap(stop_token& other) noexcept {
    stop_token const mine = *this;
    *this = other;
    other = mine;
  }
  friend void swap(stop_token& a, stop_token& b) noexcept { a.swap(b); }
  [[nodiscard]] friend bool operator==(stop_token const& a, stop_token const& b) noexcept {
    return a.state_ == b.state_;
  }

private:
  friend stop_source<Scope>;
  template <class Callback, thread_scope S>
  friend class stop_callback;

  constexpr explicit stop_token(stop_state<Scope>* state) noexcept : state_(state) {}

  stop_state<Scope>* state_ = nullptr;
};

/// Requests a stop. A source is a pointer to a stop_state.
/// Source:   [stopsource]; the scope, and the state that the program places, are extensions
/// Scope:    Scope, as of stop_state
/// Requires: the state outlives the use of its sources
/// Example:
///     void run_for(std::chrono::milliseconds limit, cudax::stop_state<>& state) {
///       cudax::stop_source const source(state);
///       std::thread worker([stop = source.get_token()] { while (!stop.stop_requested()) { /* one step */ } });
///       cudax::this_thread::sleep_for(limit);
///       source.request_stop();
///       worker.join();
///     }
template <thread_scope Scope = thread_scope_system>
class stop_source {
public:
  constexpr explicit stop_source(stop_state<Scope>& state) noexcept : state_(__builtin_addressof(state)) {}

  [[nodiscard]] constexpr stop_token<Scope> get_token() const noexcept { return stop_token<Scope>(state_); }

  /// Returns whether stop was requested, as stop_token::stop_requested.
  [[nodiscard]] bool stop_requested() const noexcept { return state_->requested(); }
  [[nodiscard]] constexpr bool stop_possible() const noexcept { return true; }

  /// Requests stop; returns whether this was the first request of all threads of host and device.
  ///   If a host thread's request is the first, every registered callback of the host has been called and has returned
  ///   before request_stop returns. The calls are made by this thread, or by threads that polled the callbacks.
  ///   If a device's request was the first, a host thread that also requests stop calls the host's callbacks that have
  ///   not been called yet, except for those that another thread is running.
  ///   A device calls no callbacks here: see stop_callback::poll.
  /// Order:    if it returns true: release; pairs with a stop_requested that returns true. On the host the calls of the
  ///           callbacks also happen before the return. If it returns false: acquire; pairs with the first request
  /// Errors:   none; an exception that a callback throws terminates the program
  bool request_stop() const noexcept { return state_->request(); }

  void swap(stop_source& other) noexcept {
    stop_source const mine = *this;
    *this = other;
    other = mine;
  }
  friend void swap(stop_source& a, stop_source& b) noexcept { a.swap(b); }
  [[nodiscard]] friend bool operator==(stop_source const& a, stop_source const& b) noexcept {
    return a.state_ == b.state_;
  }

private:
  stop_state<Scope>* state_;
};
template <thread_scope Scope>
stop_source(stop_state<Scope>&) -> stop_source<Scope>;

/// Calls a function once if stop is requested during the object's lifetime.
/// Source:   [stopcallback]; the scope and poll are extensions
/// Order:    everything sequenced before the first request happens before the call
/// Scope:    the token's
/// Requires: the state outlives the object
/// Errors:   none; an exception that the function throws terminates the program
/// Example:
///     void serve(cudax::stop_token<> stop) {
///       cudax::stop_callback on_stop(stop, [] { std::puts("stopping"); });
///       while (!on_stop.poll()) cudax::this_thread::yield(); // poll: the request may come from a device
///     }
template <class Callback, thread_scope Scope = thread_scope_system>
class stop_callback : thread_detail::stop_node {
public:
  using callback_type = Callback;

  /// Registers the function; if stop was already requested, calls it immediately.
  template <class Initializer>
    requires __is_constructible
  (Callback, Initializer) explicit stop_callback(stop_token<Scope> token, Initializer&& initializer) noexcept(
      __is_nothrow_constructible(Callback, Initializer))
    : thread_detail::stop_node{}, state_(token.state_), callback_((Initializer&&)initializer) {
    if (!state_) return;
    if constexpr (CUDAX_ON_DEVICE) {
      pending = true;
      poll();
    } else {
      run = [](thread_detail::stop_node* node) noexcept { static_cast<stop_callback*>(node)->call(); };
      if (state_->requested() || !state_->add_callback(*this)) call();
    }
  }

  /// Deregisters the function. If another thread is calling the function, blocks until that call returns; if this
  /// thread is calling it, does not block. If stop was requested and no other thread would call the function, calls it:
  /// on the host only if a device's request was the first, on a device in every case.
  ~stop_callback() {
    if (!state_) return;
    if constexpr (CUDAX_ON_DEVICE) poll();
    else if (!entered) return;
    else if (!state_->remove_callback(*this)) state_->wait_for_callback(*this);
    else if (state_->requested() && state_->device_won()) call();
  }
  stop_callback(stop_callback const&) = delete;
  stop_callback& operator=(stop_callback const&) = delete;

  /// Calls the function in this thread if stop was requested and no thread has called the function yet; returns whether
  /// stop was requested. A program needs poll on the host if the request comes from a device, and on a device after
  /// every request, also one of the calling thread. On the host another thread may still be calling the function when
  /// poll returns.
  /// Source:   extension
  /// Requires: on a device, the calling thread made the object; on the host, no other thread ends the object's lifetime
  ///           during the call, and the state outlives the call
  bool poll() noexcept {
    if (!state_ || !state_->requested()) return false;
    if constexpr (CUDAX_ON_DEVICE) {
      if (pending) {
        pending = false;
        call();
      }
    } else {
      if (entered) state_->run_polled(*this);
    }
    return true;
  }

private:
  void call() noexcept { ((Callback&&)callback_)(); }

  stop_state<Scope>* state_;
  [[no_unique_address]] Callback callback_;
};
template <thread_scope Scope, class Callback>
stop_callback(stop_token<Scope>, Callback) -> stop_callback<Callback, Scope>;

} // namespace cudax

CUDAX_EVERYWHERE_END
