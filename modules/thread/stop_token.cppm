// SPDX-License-Identifier: Apache-2.0
//
// stop_token: asking others to stop, and being asked.  [thread.stoptoken]
//
// A host thread asks a kernel, a kernel asks host threads, and threads of one side ask each other. Sources and tokens are
// pointers to a stop_state that the program has placed, as std::inplace_stop_token is (C++26); stop_state.cppm has the
// protocol.
//
// Callbacks run on the side that made them, once, if stop is requested while they live. The host's run in the host thread
// whose request is the first, before request_stop returns true, as the standard says, or meanwhile in one that polls the
// callback, and then request_stop waits for the end of the call. A device cannot run a host's code, so where a device has
// requested, they run in the host thread that comes first: one that requests as well, one that polls the callback, or the
// one that ends its life. A device's callback belongs to the thread that made it, because its object stands in local memory,
// which no other thread can reach: that thread runs it, when it polls, or where its life ends.
module;
#include "../base/macros.hpp"
export module cudax.sync:stop_token;
import :bits;
import :scope;
import :stop_state;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax {

/// Is asked to stop.
/// Source:   [stoptoken]; the scope is an extension
/// Scope:    Scope, as of stop_state
/// Requires: the state outlives the use of its tokens
template <thread_scope Scope = thread_scope_system>
class stop_token {
public:
  template <class Callback>
  using callback_type = stop_callback<Callback, Scope>;

  /// A token that nobody can ask through.
  constexpr stop_token() noexcept = default;

  /// Returns whether stop was requested: one load where it was not.
  /// Order:    acquire where it was; pairs with the first request
  [[nodiscard]] bool stop_requested() const noexcept { return state_ && state_->requested(); }

  /// Returns whether the token belongs to a state. That a source exists is not counted: sources are pointers.
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

/// Asks to stop.
/// Source:   [stopsource]; the scope, and the state that the program places, are extensions
/// Scope:    Scope, as of stop_state
/// Requires: the state outlives the use of its sources
template <thread_scope Scope = thread_scope_system>
class stop_source {
public:
  constexpr explicit stop_source(stop_state<Scope>& state) noexcept : state_(__builtin_addressof(state)) {}

  [[nodiscard]] constexpr stop_token<Scope> get_token() const noexcept { return stop_token<Scope>(state_); }

  /// As stop_token::stop_requested.
  [[nodiscard]] bool stop_requested() const noexcept { return state_->requested(); }
  [[nodiscard]] constexpr bool stop_possible() const noexcept { return true; }

  /// Requests stop, and returns whether this was the first request, of all threads of both sides. Where it was, and this is
  /// the host, every callback of the host that was registered has been called, and has returned, when it returns: by this
  /// thread, or by one that polled it. Where a device's request was the first, a host thread that requests calls those that
  /// have not been called, but for what another thread is at. A device calls nothing here: see stop_callback::poll.
  /// Order:    release; pairs with a stop_requested that returns true. acquire where it is not the first, and of what the
  ///           callbacks did where it is
  /// Errors:   none; an exception that a callback throws ends the program
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

/// Calls a function once, if stop is requested while the object lives.
/// Source:   [stopcallback]; the scope and poll are extensions
/// Order:    what came before the first request comes before the call
/// Scope:    the token's
/// Requires: the state outlives the object
/// Errors:   none; an exception that the function throws ends the program
template <class Callback, thread_scope Scope = thread_scope_system>
class stop_callback : machine::stop_node {
public:
  using callback_type = Callback;

  /// Registers the function; where stop was requested already, calls it at once.
  template <class Initializer>
    requires __is_constructible
  (Callback, Initializer) explicit stop_callback(stop_token<Scope> token, Initializer&& initializer) noexcept(
      __is_nothrow_constructible(Callback, Initializer))
    : machine::stop_node{}, state_(token.state_), callback_((Initializer&&)initializer) {
    if (!state_) return;
    if constexpr (CUDAX_ON_DEVICE) {
      pending = true;
      poll();
    } else {
      run = [](machine::stop_node* node) noexcept { static_cast<stop_callback*>(node)->call(); };
      if (state_->requested() || !state_->enter(*this)) call();
    }
  }

  /// Withdraws the function. Where another thread is calling it, waits until it returns; where this thread is, does not.
  /// Where it was not called, and a device has requested, or this is a device and anybody has, calls it: nobody else would.
  ~stop_callback() {
    if (!state_) return;
    if constexpr (CUDAX_ON_DEVICE) poll();
    else if (!entered) return;
    else if (!state_->withdraw(*this)) state_->await_end(*this);
    else if (state_->requested() && state_->device_won()) call();
  }
  stop_callback(stop_callback const&) = delete;
  stop_callback& operator=(stop_callback const&) = delete;

  /// Calls the function in this thread, if stop was requested and no thread has called it; returns whether stop was requested.
  /// Needed where a request comes from the other side, and on a device from any other thread. On the host another thread
  /// may be calling it when poll returns.
  /// Source:   extension
  /// Requires: on a device, this is the thread that made the object; on the host no other thread ends the object's life
  ///           meanwhile, and the state outlives the call
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
