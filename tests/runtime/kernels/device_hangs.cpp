// SPDX-License-Identifier: Apache-2.0
//
// Reports of a device's waits, on a simulated machine: the mailbox, what is printed of it, and errors. tests/runtime/
// hangs.cu has the reports of real kernels.
#include "../../../runtime/interface/hang_mailbox.hpp"
#include "../simulated/simulated_execution.hpp"
#include "../simulated/simulated_machine.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cuda = cudax::runtime::cuda;
using cudax::hang_mailbox;
using cudax::runtime::failure;
using cudax::runtime::report_hangs;

namespace {

template <int Number> void image() {}
template <int Number> void const* const kernel = reinterpret_cast<void const*>(&image<Number>);

struct machines {
  cudax_test::simulated_machine memory;
  cudax_test::simulated_execution execution;

  /// The mailbox of the last call, as the host reads it.
  hang_mailbox* mailbox() const { return static_cast<hang_mailbox*>(memory.host_address(execution.first_argument)); }

  /// Relaxed: the check needs nothing else that the polling thread has written.
  unsigned state_of(int slot) const {
    return std::atomic_ref(mailbox()->all[slot].state).load(std::memory_order_relaxed);
  }
};

void fill(hang_mailbox::slot& slot, char const* text, unsigned state = hang_mailbox::waits) {
  slot.object = 0xabc;
  slot.values[0] = 7, slot.values[1] = 8;
  slot.block[0] = 1, slot.thread[2] = 3;
  std::snprintf(slot.text, sizeof(slot.text), "%s", text);
  std::atomic_ref(slot.state).store(state, std::memory_order_release); // pairs with the acquire of the polling thread
}

/// Returns what is written to standard error until it has `lines` lines; at least 200 ms, at most a minute.
template <class Action> std::string printed(int lines, Action action) {
  std::FILE* const file = std::tmpfile();
  int const before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  action();
  std::string text;
  for (int i = 0; i < 6000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    char part[8192];
    ssize_t const size = pread(fileno(file), part, sizeof(part), 0);
    text.assign(part, size < 0 ? 0 : std::size_t(size));
    if (i >= 20 && std::count(text.begin(), text.end(), '\n') >= lines) break;
  }
  dup2(before, STDERR_FILENO);
  close(before);
  std::fclose(file);
  return text;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(device_hangs, machines)

BOOST_AUTO_TEST_CASE(a_report_in_the_mailbox_is_printed_once) {
  failure why;
  report_hangs(kernel<1>, 1'500'000'000, false, why);
  BOOST_REQUIRE(why.code == 0);
  BOOST_REQUIRE(execution.launches.size() == 1u);
  BOOST_TEST(execution.launches[0].kernel == kernel<1>);
  std::string const text = printed(2, [&] {
    fill(mailbox()->all[0], "latch: # of #; #");
    fill(mailbox()->all[5], "latch", hang_mailbox::stopped);
  });
  std::string const rest = "; find the thread that should end the wait, or raise the limit (CUDAX_HANG_AFTER)\n";
  std::string const where =
      "; the wait at the object at 0xabc has lasted longer than 1.5 s, in block (1, 0, 0), thread "
      "(0, 0, 3) of device 0; ";
  BOOST_TEST(text == "cudax.sync: latch: 7 of 8; #" + where + "the thread continues to wait" + rest +
                         "cudax.sync: latch" + where + "the kernel was stopped" + rest);
  BOOST_TEST(printed(0, [] {}) == "");
  BOOST_TEST(state_of(0) == hang_mailbox::waits);
  for (int i = 0; i < 10'000 && state_of(5) != hang_mailbox::printed; ++i) // the state follows the text
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  BOOST_TEST(state_of(5) == hang_mailbox::printed); // the kernel traps after that
  // A further call for the image uses the mailbox again, and reports again.
  auto const* const first = mailbox();
  report_hangs(kernel<1>, 1'500'000'000, false, why);
  BOOST_TEST(mailbox() == first);
  BOOST_TEST(state_of(0) == hang_mailbox::empty);
  BOOST_TEST(printed(1, [&] { fill(mailbox()->all[0], "again"); }).starts_with("cudax.sync: again; "));
}

BOOST_AUTO_TEST_CASE(a_text_without_an_end_is_printed_as_far_as_it_goes) {
  failure why;
  report_hangs(kernel<2>, 1, false, why);
  BOOST_TEST(printed(1, [&] {
               hang_mailbox::slot& slot = mailbox()->all[0];
               std::memset(slot.text, '%', sizeof(slot.text));
               std::atomic_ref(slot.state).store(hang_mailbox::waits, std::memory_order_release);
             }).starts_with("cudax.sync: " + std::string(hang_mailbox::longest_text - 1, '%') + "; the wait "));
}

BOOST_AUTO_TEST_CASE(each_device_and_each_image_has_a_mailbox) {
  failure why;
  report_hangs(kernel<3>, 1, false, why);
  auto const* const first = mailbox();
  report_hangs(kernel<4>, 1, false, why);
  auto const* const second = mailbox();
  execution.set_device(1);
  report_hangs(kernel<3>, 1, false, why);
  BOOST_TEST((mailbox() != first && mailbox() != second && first != second));
  BOOST_TEST(printed(1, [&] { fill(mailbox()->all[0], "text"); }).find(" of device 1; ") != std::string::npos);
  execution.set_device(0);
}

BOOST_AUTO_TEST_CASE(each_device_has_the_limit_of_its_own_call) {
  failure why;
  report_hangs(kernel<9>, 1'500'000'000, false, why);
  auto* const first = mailbox();
  execution.set_device(1);
  report_hangs(kernel<9>, 0, false, why);
  execution.set_device(0);
  BOOST_TEST(printed(1, [&] { fill(first->all[0], "text"); }).find(" longer than 1.5 s, ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_environment_has_a_decimal_number_of_seconds) {
  failure why;
  auto const printed_limit = [&](char const* seconds) {
    setenv("CUDAX_HANG_AFTER", seconds, 1);
    report_hangs(kernel<10>, 7'000'000'000, false, why);
    unsetenv("CUDAX_HANG_AFTER");
    std::string const text = printed(1, [&] { fill(mailbox()->all[0], "text"); });
    std::size_t const begin = std::min(text.find("longer than "), text.size());
    return text.substr(begin, text.find(',', begin) - begin);
  };
  BOOST_TEST(printed_limit("2") == "longer than 2 s");
  BOOST_TEST(printed_limit("0.25") == "longer than 0.25 s");
  BOOST_TEST(printed_limit("1000000000.0000000001") == "longer than 1e+09 s");
  // No other notation: that of strtod depends on the program's locale. The call's limit holds.
  for (char const* other : {"0,5", ".5", "0x2", "2e1", " 2", "+2", "-2", "2 s", "inf", "nan", "1000000000.1",
                            "99999999999999999999999999999999"})
    BOOST_TEST(printed_limit(other) == "longer than 7 s");
}

BOOST_AUTO_TEST_CASE(without_a_kernel_nothing_is_called) {
  failure why;
  report_hangs(nullptr, 1, false, why);
  BOOST_TEST(why.code == 0);
  BOOST_TEST(execution.launches.empty());
}

BOOST_AUTO_TEST_CASE(a_failure_of_any_call_of_cuda_is_reported) {
  failure why;
  for (int k : {1, 2}) { // the device, the launch
    execution.fail_call(k, cuda::launch_failure);
    why = {};
    report_hangs(kernel<5>, 1, false, why);
    BOOST_TEST(why.code == cuda::launch_failure);
    BOOST_TEST(std::string(why.sentence).starts_with("cudax.sync: report_hangs: "));
  }
  for (int k : {2, 3}) { // the registration, the address
    memory.fail_call(k, cuda::memory_allocation);
    why = {};
    report_hangs(k == 2 ? kernel<7> : kernel<8>, 1, false, why);
    BOOST_TEST(why.code == cuda::memory_allocation);
  }
  for (void const* each : {kernel<5>, kernel<7>, kernel<8>}) {
    why = {};
    report_hangs(each, 1, false, why);
    BOOST_TEST(why.code == 0);
  }
}

BOOST_AUTO_TEST_CASE(another_thread_may_register_the_mailbox) {
  failure why;
  report_hangs(kernel<11>, 1, false, why);
  BOOST_REQUIRE(why.code == 0);
  memory.fail_call(1, cuda::invalid_value); // the address: as if the mailbox were not registered yet
  report_hangs(kernel<11>, 1, false, why);
  BOOST_TEST(why.code == 0);
  BOOST_TEST(execution.launches.size() == 2u);
}

BOOST_AUTO_TEST_CASE(fork_does_not_wait_for_standard_error) {
  failure why;
  report_hangs(kernel<12>, 1, false, why);
  int ends[2];
  BOOST_REQUIRE(pipe(ends) == 0);
  BOOST_REQUIRE(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
  while (write(ends[1], "x", 1) == 1) {} // until the pipe is full
  BOOST_REQUIRE(fcntl(ends[1], F_SETFL, 0) == 0);
  int const before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  fill(mailbox()->all[0], "text");
  std::this_thread::sleep_for(std::chrono::milliseconds(200)); // the thread now waits until the pipe has room
  std::future<pid_t> child = std::async(std::launch::async, [] {
    pid_t const made = fork();
    if (made == 0) _exit(0);
    return made;
  });
  bool const returns = child.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
  dup2(before, STDERR_FILENO);
  close(before);
  close(ends[1]);
  // The thread ends its report.
  char text[4096];
  while (read(ends[0], text, sizeof(text)) > 0) {}
  close(ends[0]);
  BOOST_TEST(returns);
  BOOST_TEST(waitpid(child.get(), nullptr, 0) > 0);
}

BOOST_AUTO_TEST_CASE(a_child_of_fork_ends_without_the_thread) {
  failure why;
  report_hangs(kernel<6>, 1, false, why);
  for (int i = 0; i < 20; ++i) {
    std::fflush(nullptr); // else the child writes it, too
    pid_t const child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
      alarm(60);
      std::exit(0); // runs the destructor that stops the thread
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
