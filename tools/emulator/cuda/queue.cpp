// SPDX-License-Identifier: Apache-2.0
//
// queue: streams, their threads, and the order between them. One lock protects everything; it is held only briefly.
#include "queue.hpp"
#include "../machine/watch.hpp"
#include "at_exit.hpp"
#include "captures.hpp"
#include "environment.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

namespace emulator::cuda {
namespace {

using stream_pointer = std::shared_ptr<CUstream_st>;

struct queue {
  std::mutex lock;
  std::condition_variable changed;
  std::unordered_map<CUstream_st*, stream_pointer> streams; ///< without the default stream
  std::vector<stream_pointer> dying;                        ///< destroyed, with unfinished work
  std::uint64_t next_id = 1;
  std::uint64_t seen = 0; ///< how often the host has seen work finished
  stream_pointer legacy = std::make_shared<CUstream_st>();
  std::unordered_map<std::uint64_t, completion_pointer> connections; ///< the newest grid of each
  std::unordered_map<completion const*, std::string> grids;          ///< the kernels of the grids that have not ended
};

queue& all() {
  static queue& only = *new queue; // never destroyed: threads of streams use it while the program exits
  return only;
}

/// The per-thread default stream, if the thread uses it. The pointer has no destructor: the end of the program may use
/// it after the main thread's thread-local objects are destroyed.
thread_local constinit stream_pointer* own = nullptr;
struct end_of_thread {
  bool is_minded = false;
  ~end_of_thread() {
    if (!own || is_lost_child()) return;
    forget_capture(**own);
    destroy_stream(*own);
    delete std::exchange(own, nullptr);
  }
};
thread_local end_of_thread at_end;

thread_local bool runs_a_stream = false;

bool all_done(std::vector<completion_pointer> const& list) {
  return std::ranges::all_of(list, [](auto const& c) { return c->done; });
}

bool can_run(piece_of_work const& work) { return device_error() != cudaSuccess || all_done(work.after); }

void run_stream(stream_pointer stream) {
  runs_a_stream = true;
  std::unique_lock guard(all().lock);
  for (;;) {
    all().changed.wait(guard,
                       [&] { return stream->waiting.empty() ? stream->destroyed : can_run(stream->waiting.front()); });
    if (stream->waiting.empty()) {
      std::erase(all().dying, stream);
      return;
    }
    piece_of_work work = std::move(stream->waiting.front());
    stream->waiting.pop_front();
    guard.unlock();
    if (device_error() == cudaSuccess) work.run();
    work.run = nullptr; // its captured objects are destroyed without the lock
    guard.lock();
    all().grids.erase(work.done.get());
    work.done->done = true;
    work.done->when = std::chrono::steady_clock::now();
    all().changed.notify_all();
  }
}

void add_if_pending(std::vector<completion_pointer>& list, completion_pointer const& c) {
  if (c && !c->done) list.push_back(c);
}

/// Returns the unfinished work of the stream and of the streams for which the default stream waits.
std::vector<completion_pointer> pending_of(stream_pointer const& stream) {
  std::vector<completion_pointer> pending;
  add_if_pending(pending, stream->last);
  if (stream != all().legacy) return pending;
  for (auto const& [_, other] : all().streams)
    if (other->blocks_default) add_if_pending(pending, other->last);
  for (auto const& other : all().dying)
    if (other->blocks_default) add_if_pending(pending, other->last);
  return pending;
}

/// Returns the work for which new work of the stream waits.
std::vector<completion_pointer> order_of(stream_pointer const& stream) {
  std::vector<completion_pointer> after = pending_of(stream);
  if (stream != all().legacy && stream->blocks_default) add_if_pending(after, all().legacy->last);
  return after;
}

completion_pointer submit_locked(stream_pointer const& stream, std::vector<completion_pointer> after,
                                 std::function<void()> work) {
  auto done = std::make_shared<completion>();
  stream->last = done;
  // New work of the default stream comes before what the other streams get next, and the reverse.
  if (stream == all().legacy) {
    for (auto const& [_, other] : all().streams)
      if (other->blocks_default) other->last_grid = nullptr;
  } else if (stream->blocks_default) {
    all().legacy->last_grid = nullptr;
  }
  stream->waiting.push_back({std::move(after), std::move(work), done});
  if (!stream->has_thread) {
    stream->has_thread = true;
    std::thread(run_stream, stream).detach();
  }
  all().changed.notify_all();
  return done;
}

template <class Condition>
void wait_until(std::unique_lock<std::mutex>& guard, Condition over) {
  all().changed.wait(guard, [&] { return device_error() != cudaSuccess || over(); });
  require(device_error() == cudaSuccess, device_error());
  ++all().seen;
}

} // namespace

stream_pointer stream_of(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return all().legacy;
  if (handle == cudaStreamPerThread) {
    bool exists = false;
    {
      std::lock_guard guard(all().lock);
      exists = own && !(*own)->destroyed; // cudaDeviceReset destroys it
    }
    if (!own) {
      at_end.is_minded = true;
      own = new stream_pointer;
    }
    if (!exists) *own = make_stream(cudaStreamDefault, 0);
    return *own;
  }
  std::lock_guard guard(all().lock);
  auto const found = all().streams.find(handle);
  require(found != all().streams.end(), cudaErrorInvalidResourceHandle);
  return found->second;
}

stream_pointer make_stream(unsigned flags, int priority) {
  auto stream = std::make_shared<CUstream_st>();
  stream->flags = flags;
  stream->priority = priority;
  stream->blocks_default = !(flags & cudaStreamNonBlocking);
  std::lock_guard guard(all().lock);
  stream->id = ++all().next_id;
  all().streams[stream.get()] = stream;
  return stream;
}

void destroy_stream(stream_pointer const& stream) {
  std::lock_guard guard(all().lock);
  stream->destroyed = true;
  if (stream->last && !stream->last->done) all().dying.push_back(stream);
  all().streams.erase(stream.get());
  all().changed.notify_all();
}

void destroy_all_streams() {
  std::lock_guard guard(all().lock);
  for (auto const& [_, stream] : all().streams) stream->destroyed = true;
  all().streams.clear();
  all().dying.clear();
  all().connections.clear();
  all().grids.clear();
  all().legacy->destroyed = true;
  all().legacy = std::make_shared<CUstream_st>();
  all().changed.notify_all();
}

namespace {
completion_pointer already_done() { return std::make_shared<completion>(completion{true, {}}); }
} // namespace

namespace {

/// Whether the newest work of the stream is a grid of which the host has not seen the end: then a grid that is
/// submitted now could begin before that one has ended. Called under the lock.
bool follows_grid(stream_pointer const& stream) {
  return stream->last && stream->last == stream->last_grid && stream->seen_at_last_grid == all().seen;
}

completion_pointer submit_grid(stream_pointer const& stream, command const& c) {
  finish_grids_at_exit();
  unsigned const connections = the_environment().connections;
  std::lock_guard guard(all().lock);
  auto grid = std::make_shared<launch>(*c.grid);
  grid->stream = stream->id;
  grid->is_dependent = c.may_start_early && follows_grid(stream);
  auto after = order_of(stream);
  completion_pointer* const newest = connections ? &all().connections[stream->id % connections] : nullptr;
  if (newest) add_if_pending(after, *newest);
  auto const done = submit_locked(stream, std::move(after), [grid] { run_grid(*grid); });
  all().grids.emplace(done.get(), c.kernel);
  stream->last_grid = done;
  stream->seen_at_last_grid = all().seen;
  if (newest) *newest = done;
  return done;
}

} // namespace

completion_pointer submit(stream_pointer const& stream, command c) {
  if (record(*stream, c)) return already_done();
  if (c.grid) return submit_grid(stream, c);
  std::lock_guard guard(all().lock);
  return submit_locked(stream, order_of(stream), c.run ? std::move(c.run) : [] {});
}

stream_pointer make_lane() {
  auto lane = std::make_shared<CUstream_st>();
  lane->blocks_default = false;
  return lane;
}

void end_lane(stream_pointer const& lane) {
  std::lock_guard guard(all().lock);
  lane->destroyed = true;
  all().changed.notify_all();
}

completion_pointer submit_steps(stream_pointer const& stream, std::vector<step> steps,
                                std::vector<stream_pointer> const& lanes, completion_pointer const& earlier) {
  finish_grids_at_exit();
  std::lock_guard guard(all().lock);
  auto before = order_of(stream);
  add_if_pending(before, earlier);
  auto const begin = submit_locked(stream, std::move(before), [] {});
  std::vector<completion_pointer> done;
  for (step& each : steps) {
    std::vector<completion_pointer> after;
    if (each.after.empty()) after.push_back(begin);
    for (std::size_t const i : each.after) after.push_back(done[i]);
    done.push_back(submit_locked(lanes[each.lane], std::move(after), std::move(each.run)));
    if (!each.kernel.empty()) all().grids.emplace(done.back().get(), each.kernel);
  }
  return submit_locked(stream, std::move(done), [] {});
}

void submit_wait(stream_pointer const& stream, completion_pointer awaited) {
  std::lock_guard guard(all().lock);
  stream->last_grid = nullptr; // the next grid depends on more than the last one
  if (awaited->done) return;
  auto after = order_of(stream);
  after.push_back(std::move(awaited));
  submit_locked(stream, std::move(after), [] {});
}

void wait_for(completion_pointer const& c) {
  std::unique_lock guard(all().lock);
  wait_until(guard, [&] { return c->done; });
}

void wait_for_stream(stream_pointer const& stream) {
  std::unique_lock guard(all().lock);
  wait_until(guard, [pending = pending_of(stream)] { return all_done(pending); });
}

void wait_for_everything() {
  std::unique_lock guard(all().lock);
  std::vector<completion_pointer> pending;
  add_if_pending(pending, all().legacy->last);
  for (auto const& [_, stream] : all().streams) add_if_pending(pending, stream->last);
  for (auto const& stream : all().dying) add_if_pending(pending, stream->last);
  wait_until(guard, [&] { return all_done(pending); });
}

std::vector<std::string> wait_for_grids(std::chrono::nanoseconds limit) {
  std::vector<std::string> left;
  if (runs_a_stream) return left; // the thread would wait for itself
  std::unique_lock guard(all().lock);
  auto const over = [] { return device_error() != cudaSuccess || all().grids.empty(); };
  for (std::uint64_t before = 0, now = ~before; !over() && now != before; now = blocks_that_ended()) {
    before = blocks_that_ended();
    all().changed.wait_for(guard, limit, over);
  }
  if (device_error() != cudaSuccess) return left;
  for (auto const& [_, kernel] : all().grids) left.push_back(kernel);
  std::ranges::sort(left);
  return left;
}

bool is_done(completion_pointer const& c) {
  std::lock_guard guard(all().lock);
  all().seen += c->done;
  return c->done;
}

bool is_idle(stream_pointer const& stream) {
  std::lock_guard guard(all().lock);
  bool const idle = pending_of(stream).empty();
  all().seen += idle;
  return idle;
}

std::chrono::steady_clock::time_point time_of(completion_pointer const& c) {
  std::lock_guard guard(all().lock);
  return c->when;
}

} // namespace emulator::cuda
