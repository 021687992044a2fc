// SPDX-License-Identifier: Apache-2.0
//
// Reports of waits that last long, of a checked build: the text of each primitive, on a device and on the host; no
// report of a shorter wait, one report of many threads, and the trap. Each case begins a wait that nothing ends, reads
// what the process prints meanwhile, and then ends the wait.
//
//   hangs --side=host|device [--trap | --environment]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>
import cudax.sync;
import cudax.sync.host;

namespace {

using namespace std::chrono_literals;

int failures = 0;

void check(bool passed, std::string const& title, std::string const& text) {
  if (passed) return;
  ++failures;
  std::printf("FAILED: %s; standard error:\n%s\n", title.c_str(), text.c_str());
}

/// What the process writes to standard error while this object lives.
class captured_error {
  std::FILE* file_ = std::tmpfile();
  int before_ = dup(STDERR_FILENO);

public:
  captured_error() { dup2(fileno(file_), STDERR_FILENO); }
  ~captured_error() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    std::fclose(file_);
  }
  std::string text() const {
    std::string result(std::size_t(lseek(fileno(file_), 0, SEEK_END)), 0);
    ssize_t const size = pread(fileno(file_), result.data(), result.size(), 0);
    result.resize(size < 0 ? 0 : std::size_t(size));
    return result;
  }
  /// Returns the text once it has a report, or after a minute.
  std::string await_report() const;
};

int reports_in(std::string_view text) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find("; find the thread that should end the wait", at)) != text.npos; ++at)
    ++count;
  return count;
}

std::string captured_error::await_report() const {
  for (int i = 0; i < 6000 && reports_in(text()) == 0; ++i) std::this_thread::sleep_for(10ms);
  return text();
}

bool on_device = true;

template <class Object, class Wait> __global__ void wait_in_kernel(Object* object, Wait wait) { wait(*object); }

/// Begins the wait, by `blocks` of `threads` threads, or on one host thread; calls `during`, ends the wait.
template <class Object, class Wait, class End>
void run(Object& object, Object* on_gpu, Wait wait, End end, std::function<void()> during, unsigned blocks = 1,
         unsigned threads = 1) {
  if (on_device) {
    wait_in_kernel<<<blocks, threads>>>(on_gpu, wait);
    during();
    end(object);
    if (auto const error = cudaDeviceSynchronize()) check(false, "the kernel ends", cudaGetErrorString(error));
  } else {
    std::thread waiter([&] { wait(object); });
    during();
    end(object);
    waiter.join();
  }
}

/// Checks that the wait is reported once, with `sentence`, its object and its thread.
template <class Object, class Wait, class End>
void reports(std::string_view sentence, Wait wait, End end) {
  auto const object = cudax::make_mapped<Object>();
  cudax::report_hangs(200ms); // its address may be that of an earlier object, which was reported
  captured_error const error;
  auto const during = [&] {
    std::string const text = error.await_report();
    std::printf("%s", text.c_str());
    check(reports_in(text) == 1, std::string(sentence) + ": one report", text);
    check(text.starts_with("cudax.sync: " + std::string(sentence) + "; the wait at the object at 0x"),
          std::string(sentence), text);
    unsigned long long at = 0; // an address within the object
    std::sscanf(text.c_str() + std::min(text.find(" 0x"), text.size()), " 0x%llx", &at);
    auto const begin = (unsigned long long)(on_device ? object.device_pointer() : object.get());
    check(at >= begin && at < begin + sizeof(Object), std::string(sentence) + ": the address", text);
    check(text.find(on_device ? ", in block (0, 0, 0), thread (0, 0, 0) of device 0; the thread continues to wait; "
                              : ", in host thread ") != text.npos,
          std::string(sentence) + ": the thread", text);
    check(text.find("has lasted longer than 0.2 s") != text.npos, std::string(sentence) + ": the time", text);
  };
  run(*object, object.device_pointer(), wait, end, during);
}

#define ON_BOTH [] __host__ __device__

using cudax::thread_scope_system;

struct condition {
  cudax::mutex<> mutex;
  cudax::condition_variable_any<> condition_variable;
};
struct latch_of_two : cudax::latch<> {
  latch_of_two() : latch(2) {}
};
struct barrier_of_three : cudax::barrier<> {
  barrier_of_three() : barrier(3) {}
};
struct no_permits : cudax::counting_semaphore<> {
  no_permits() : counting_semaphore(0) {}
};
struct no_fair_permits : cudax::fair_semaphore<> {
  no_fair_permits() : fair_semaphore(0) {}
};

template <class Mutex> struct held : Mutex {
  held() { this->lock(); }
};
struct read : cudax::shared_mutex<> {
  read() { this->lock_shared(); }
};

void every_primitive() {
  reports<cudax::atomic<int>>(
      "atomic::wait: the value has not changed", ON_BOTH(auto& a) { a.wait(0); },
      [](auto& a) {
        a.store(1);
        a.notify_all();
      });
  reports<latch_of_two>(
      "latch::wait: missing arrivals: 2", ON_BOTH(auto& l) { l.wait(); }, [](auto& l) { l.count_down(2); });
  reports<latch_of_two>(
      "latch::arrive_and_wait: missing arrivals: 1", ON_BOTH(auto& l) { l.arrive_and_wait(); },
      [](auto& l) { l.count_down(); });
  reports<barrier_of_three>(
      "barrier::wait: phase 0, missing arrivals: 2", ON_BOTH(auto& b) { b.arrive_and_wait(); },
      [](auto& b) { (void)b.arrive(2); });
  reports<barrier_of_three>(
      "barrier::wait_parity: phase 0, missing arrivals: 3", ON_BOTH(auto& b) { b.wait_parity(false); },
      [](auto& b) { (void)b.arrive(3); });
  reports<no_permits>(
      "counting_semaphore::acquire: no permit was released", ON_BOTH(auto& s) { s.acquire(); },
      [](auto& s) { s.release(); });
  reports<no_fair_permits>(
      "fair_semaphore::acquire: 0 permits were granted; this thread needs 1", ON_BOTH(auto& s) { s.acquire(); },
      [](auto& s) { s.release(); });
  auto const lock = ON_BOTH(auto& m) {
    m.lock();
    m.unlock();
  };
  auto const unlock = [](auto& m) { m.unlock(); };
  reports<held<cudax::mutex<>>>("mutex::lock: another thread holds the mutex", lock, unlock);
  reports<held<cudax::ticket_mutex<>>>("ticket_mutex::lock: ticket 0 holds the mutex; this thread has ticket 1", lock,
                                       unlock);
  reports<held<cudax::shared_mutex<>>>("shared_mutex::lock: a writer holds the mutex", lock, unlock);
  reports<held<cudax::shared_mutex<>>>(
      "shared_mutex::lock_shared: a writer holds the mutex",
      ON_BOTH(auto& m) {
        m.lock_shared();
        m.unlock_shared();
      },
      unlock);
  reports<read>("shared_mutex::lock: readers that hold the mutex: 1", lock, [](auto& m) { m.unlock_shared(); });
  reports<condition>(
      "condition_variable::wait: no thread has notified",
      ON_BOTH(auto& c) {
        cudax::unique_lock lock(c.mutex);
        c.condition_variable.wait(lock);
      },
      [](auto& c) { c.condition_variable.notify_all(); });
}

/// Checks that `wait`, on a host thread, is reported once, with `sentence`; `end` ends it.
template <class Wait, class End> void reports_on_host(std::string_view sentence, Wait wait, End end) {
  cudax::report_hangs(200ms);
  captured_error const error;
  std::thread waiter(wait);
  std::string const text = error.await_report();
  std::printf("%s", text.c_str());
  end();
  waiter.join();
  check(reports_in(text) == 1 && text.starts_with("cudax.sync: " + std::string(sentence) + "; "), std::string(sentence),
        text);
}

/// A callback that does not return: in the thread that requested stop, and in a thread that polls.
void stop_callbacks() {
  for (bool const polled : {false, true}) {
    cudax::stop_state state;
    cudax::stop_source const source(state);
    std::atomic<bool> runs = false, ends = false;
    auto const call = [&] {
      runs = true;
      while (!ends) std::this_thread::sleep_for(1ms);
    };
    std::optional<cudax::stop_callback<decltype(call)>> callback(std::in_place, source.get_token(), call);
    // The request calls it first. It returns when the poll has called the other one.
    std::optional<cudax::stop_callback<std::function<void()>>> first;
    std::thread runner([&] {
      if (polled)
        while (!callback->poll()) std::this_thread::yield();
      else source.request_stop();
    });
    auto const await_call = [&] {
      while (!runs) std::this_thread::yield();
    };
    if (polled) {
      first.emplace(source.get_token(), await_call);
      reports_on_host(
          "stop_source::request_stop: callbacks that have not returned, in the threads that poll: 1",
          [&] { source.request_stop(); }, [&] { ends = true; });
    } else {
      await_call();
      reports_on_host(
          "~stop_callback: the callback has not returned, in the thread that requested stop", [&] { callback.reset(); },
          [&] { ends = true; });
    }
    runner.join();
  }
}

/// Waits without a wait of the library, until the host says so.
__device__ void await_host(int volatile* ends) {
  while (!*ends) __nanosleep(1000);
}

__global__ void barrier_in_shared_memory(int volatile* ends) {
  __shared__ cudax::barrier<cudax::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, 2);
  __syncthreads();
  if (threadIdx.x == 0) return b.arrive_and_wait(); // not where the lanes of the warp converge
  await_host(ends);
  (void)b.arrive();
}

__global__ void parity_in_shared_memory(int volatile* ends) {
  __shared__ cudax::barrier<cudax::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, 1);
  __syncthreads();
  if (threadIdx.x == 0) return b.wait_parity(false);
  await_host(ends);
  (void)b.arrive();
}

__global__ void cohort(int volatile* ends) {
  __shared__ cudax::ticket_mutex<cudax::thread_scope_block> outer;
  __shared__ cudax::cohort_mutex<cudax::ticket_mutex<cudax::thread_scope_block>, cudax::thread_scope_block> m;
  if (threadIdx.x == 0) {
    init(&outer);
    init(&m, outer);
    m.lock();
  }
  __syncthreads();
  if (threadIdx.x == 0) await_host(ends);
  else m.lock();
  m.unlock();
}

__global__ void pipeline(int volatile* ends) {
  __shared__ cudax::pipeline_shared_state<cudax::thread_scope_block, 1> state;
  auto p = cudax::make_pipeline(cudax::this_block, &state,
                                threadIdx.x == 1 ? cudax::pipeline_role::producer : cudax::pipeline_role::consumer);
  if (threadIdx.x == 0) {
    p.consumer_wait();
    p.consumer_release();
  } else {
    p.producer_acquire();
    await_host(ends);
    p.producer_commit();
  }
}

/// Checks that the kernel of two threads, which waits in shared memory, is reported once, with `sentence`.
void reports_in_block(std::string_view sentence, void (*kernel)(int volatile*), unsigned thread) {
  auto const ends = cudax::make_mapped<int>(0);
  cudax::report_hangs(200ms); // the objects of the cases have the same address
  captured_error const error;
  kernel<<<1, 2>>>(ends.device_pointer());
  std::string const text = error.await_report();
  std::printf("%s", text.c_str());
  *(int volatile*)ends.get() = 1;
  check(cudaDeviceSynchronize() == cudaSuccess, std::string(sentence) + ": the kernel ends", text);
  check(reports_in(text) == 1 && text.starts_with("cudax.sync: " + std::string(sentence) + "; "), std::string(sentence),
        text);
  check(text.find("thread (" + std::to_string(thread) + ", 0, 0) of device 0") != text.npos,
        std::string(sentence) + ": the thread", text);
}

void in_shared_memory() {
  int major = 0;
  (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  bool const in_hardware = major >= 8;
  reports_in_block(in_hardware
                       ? "barrier::wait: arrivals or copies are missing; missing arrivals when this thread arrived: 2"
                       : "barrier::wait: phase 0, missing arrivals: 1",
                   barrier_in_shared_memory, 0);
  reports_in_block(in_hardware ? "barrier::wait_parity: parity 0, arrivals or copies are missing"
                               : "barrier::wait_parity: phase 0, missing arrivals: 1",
                   parity_in_shared_memory, 0);
  reports_in_block("cohort_mutex::lock: another thread of the cohort holds the mutex", cohort, 1);
  reports_in_block(in_hardware ? "barrier::wait_parity: parity 0, arrivals or copies are missing"
                               : "barrier::wait_parity: phase 0, missing arrivals: 1",
                   pipeline, 0);
}

auto const wait_for_value = ON_BOTH(auto& a) { a.wait(0); };
auto const store_value = [](auto& a) {
  a.store(1);
  a.notify_all();
};

/// Returns what is printed while many threads wait for `time`.
std::string printed_while_waiting(std::chrono::milliseconds time) {
  auto const object = cudax::make_mapped<cudax::atomic<int>>();
  captured_error const error;
  run(*object, object.device_pointer(), wait_for_value, store_value, [&] { std::this_thread::sleep_for(time); }, 8, 64);
  std::this_thread::sleep_for(200ms); // until a report of the device would have been printed
  return error.text();
}

void number_of_reports() {
  cudax::report_hangs(100ms);
  std::string text = printed_while_waiting(600ms);
  check(reports_in(text) == 1, "512 threads that wait for one object: one report", text);
  cudax::report_hangs(100s);
  text = printed_while_waiting(600ms);
  check(text.empty(), "no report of a wait that is shorter than the limit", text);
  cudax::report_hangs(0s);
  text = printed_while_waiting(600ms);
  check(text.empty(), "no report with the limit 0", text);
  cudax::report_hangs(100ms);
  {
    auto const object = cudax::make_mapped<cudax::atomic<int>>();
    captured_error const error;
    auto const wait_briefly = ON_BOTH(auto& a) { (void)a.wait_for(0, cudax::nanoseconds(600'000'000)); };
    run(*object, object.device_pointer(), wait_briefly, store_value, [] {});
    run(*object, object.device_pointer(), wait_briefly, store_value, [] {});
    std::this_thread::sleep_for(200ms);
    check(error.text().empty(), "no report of a wait with a time limit", error.text());
  }
}

/// The call changes nothing of the program: a capture in global mode, the last error, the device.
void neighbours() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  check(cudaStreamCreate(&stream) == cudaSuccess, "a stream", "");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess, "a capture begins", "");
  cudax::report_hangs(150ms);
  check(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "the capture survives", "");
  if (graph) (void)cudaGraphDestroy(graph);
  (void)cudaStreamDestroy(stream);
  wait_in_kernel<<<1, 1 << 20>>>((cudax::atomic<int>*)nullptr, wait_for_value);
  auto const before = cudaPeekAtLastError();
  cudax::report_hangs(150ms);
  check(before != cudaSuccess && cudaGetLastError() == before, "the last error survives", cudaGetErrorName(before));
}

/// The kernel ends with an error, and the report is printed before the program ends.
void trap() {
  auto const object = cudax::make_mapped<cudax::atomic<int>>();
  captured_error const error;
  cudax::report_hangs(200ms, cudax::hang_action::trap);
  wait_in_kernel<<<1, 1>>>(object.device_pointer(), wait_for_value);
  auto const code = cudaDeviceSynchronize();
  std::string const text = error.text(); // already there: a program may abort because of the error
  std::printf("%s", text.c_str());
  check(code == cudaErrorLaunchFailure || code == cudaErrorIllegalInstruction, "the kernel is stopped",
        cudaGetErrorString(code));
  check(reports_in(text) == 1 && text.find("; the kernel was stopped; ") != text.npos, "the report of a trap", text);
  std::puts(failures == 0 ? "hangs: passed" : "hangs: failed");
  std::fflush(stdout);
  std::_Exit(failures != 0); // the objects' memory cannot be freed any more
}

/// CUDAX_HANG_AFTER takes precedence over the call.
void environment() {
  setenv("CUDAX_HANG_AFTER", "0.1", 1);
  cudax::report_hangs(100s);
  std::string text = printed_while_waiting(600ms);
  check(text.find("has lasted longer than 0.1 s") != text.npos, "the limit of the environment", text);
  captured_error const error;
  setenv("CUDAX_HANG_AFTER", "soon", 1);
  cudax::report_hangs(100s);
  text = error.text();
  check(text ==
            "cudax.sync: CUDAX_HANG_AFTER is 'soon', which is not a number of seconds from 0 to 1e+09; it is ignored\n",
        "an environment that is no number", text);
}

} // namespace

int main(int count, char** arguments) {
  std::string_view const side = count > 1 ? arguments[1] : "", mode = count > 2 ? arguments[2] : "";
  on_device = side == "--side=device";
  try {
    if (mode == "--trap") trap();
    if (mode == "--environment") environment();
    else {
      cudax::report_hangs(200ms);
      every_primitive();
      if (on_device) in_shared_memory();
      else stop_callbacks();
      number_of_reports();
      if (on_device) neighbours();
    }
  } catch (std::exception const& error) {
    std::printf("FAILED: %s\n", error.what());
    return 1;
  }
  std::puts(failures == 0 ? "hangs: passed" : "hangs: failed");
  return failures != 0;
}
