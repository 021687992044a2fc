// SPDX-License-Identifier: Apache-2.0
//
// report(): handles everything that write(2) may do. The program is linked with --wrap=write, so that the archive's
// calls arrive here. That report() takes no lock of <cstdio>: stop.death.cpp.
#include "../../../runtime/base/report.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <string>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// What the next calls of write answer: a maximal count of bytes, or an error as a negative number.
struct script {
  std::vector<int> answers;
  std::string taken;
  std::size_t calls = 0;
};
thread_local script* playing = nullptr;

} // namespace

extern "C" ssize_t __real_write(int file, void const* data, std::size_t size);

extern "C" ssize_t __wrap_write(int file, void const* data, std::size_t size) {
  if (!playing || file != STDERR_FILENO) return __real_write(file, data, size);
  int const answer = playing->calls < playing->answers.size() ? playing->answers[playing->calls] : int(size);
  ++playing->calls;
  if (answer < 0) {
    errno = -answer;
    return -1;
  }
  auto const count = std::min(size, std::size_t(answer));
  playing->taken.append(static_cast<char const*>(data), count);
  return ssize_t(count);
}

namespace {

std::string reported(std::vector<int> answers) {
  script s{std::move(answers), {}, 0};
  playing = &s;
  cudax::runtime::report("%s: %d\n", "seven", 7);
  playing = nullptr;
  return s.taken;
}

/// Standard error is one end of a pipe during the object's lifetime.
class piped {
  int ends_[2], kept_ = dup(STDERR_FILENO);

public:
  piped() {
    BOOST_REQUIRE(pipe(ends_) == 0);
    dup2(ends_[1], STDERR_FILENO);
  }
  ~piped() {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    close(ends_[0]);
    close(ends_[1]);
  }
  int to_read() const { return ends_[0]; }
  std::size_t fill() const { // no room for a line is left
    int const flags = fcntl(ends_[1], F_GETFL);
    fcntl(ends_[1], F_SETFL, flags | O_NONBLOCK);
    std::size_t count = 0;
    while (__real_write(ends_[1], "x", 1) == 1) ++count;
    fcntl(ends_[1], F_SETFL, flags);
    return count;
  }
  void make_non_blocking() const { fcntl(ends_[1], F_SETFL, fcntl(ends_[1], F_GETFL) | O_NONBLOCK); }
};

} // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(a_line_is_written_by_one_call_of_write) {
  script s{{}, {}, 0};
  playing = &s;
  cudax::runtime::report("cudax.sync: %lld\n", 12ll);
  playing = nullptr;
  BOOST_TEST(s.taken == "cudax.sync: 12\n");
  BOOST_TEST(s.calls == 1u);
}

BOOST_AUTO_TEST_CASE(interrupted_and_partial_writes_are_continued) {
  BOOST_TEST(reported({-EINTR, 3, -EINTR, -EINTR, 1, 2}) == "seven: 7\n");
  BOOST_TEST(reported({1, 1, 1, 1, 1, 1, 1, 1, 1}) == "seven: 7\n");
}

BOOST_AUTO_TEST_CASE(a_report_gives_up_if_standard_error_accepts_nothing) {
  BOOST_TEST(reported({-EBADF}) == "");
  BOOST_TEST(reported({2, -EPIPE}) == "se");
  BOOST_TEST(reported({0}) == "");
  BOOST_TEST(reported({-EAGAIN, 9}) == "seven: 7\n"); // it accepts bytes again
  BOOST_TEST(reported({-EAGAIN, 2, -EAGAIN, 7}) == "seven: 7\n");
  BOOST_TEST(reported({-EAGAIN, -EAGAIN, 9}) == "");
}

BOOST_AUTO_TEST_CASE(a_report_to_a_full_nonblocking_pipe_ends_in_bounded_time) {
  piped const standard_error;
  standard_error.fill();
  standard_error.make_non_blocking();
  cudax::runtime::report("lost\n"); // without a bound, the test's time limit ends it
}

BOOST_AUTO_TEST_CASE(a_report_waits_for_a_full_blocking_pipe_despite_signals) {
  struct sigaction before{}, quiet{};
  quiet.sa_handler = [](int) {}; // without SA_RESTART: write fails with EINTR
  BOOST_REQUIRE(sigaction(SIGUSR1, &quiet, &before) == 0);
  std::string got;
  {
    piped const standard_error;
    std::size_t const filled = standard_error.fill();
    pthread_t const self = pthread_self();
    std::jthread const reader([&] {
      for (int i = 0; i < 20; ++i) {
        pthread_kill(self, SIGUSR1);
        usleep(2000);
      }
      std::size_t const wanted = filled + 5;
      char buffer[4096];
      while (got.size() < wanted)
        if (auto const count = read(standard_error.to_read(), buffer, sizeof(buffer)); count > 0)
          got.append(buffer, std::size_t(count));
    });
    cudax::runtime::report("said\n");
  }
  sigaction(SIGUSR1, &before, nullptr);
  BOOST_TEST(got.ends_with("xsaid\n"));
}

BOOST_AUTO_TEST_CASE(a_long_report_is_truncated_at_a_line) {
  script s{{}, {}, 0};
  playing = &s;
  cudax::runtime::report("%s\n", std::string(3000, 'a').c_str());
  playing = nullptr;
  BOOST_TEST(s.taken == std::string(cudax::runtime::longest_report - 4, 'a') + "...\n");
}

BOOST_AUTO_TEST_CASE(errno_is_preserved) {
  errno = 77;
  (void)reported({-EINTR, 9});
  int const after = errno;
  BOOST_TEST(after == 77);
}

BOOST_AUTO_TEST_SUITE_END()
