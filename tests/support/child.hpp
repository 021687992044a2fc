// SPDX-License-Identifier: Apache-2.0
//
// child: this program once more, in a process of its own that can be killed. A device thread that makes no progress
// cannot be stopped in any other way. The process is created by posix_spawn, because neither CUDA nor the emulator
// works in a forked child. It can tell its parent bytes.
#pragma once

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cudax_test {

[[noreturn]] inline void broken(char const* call, int error) {
  std::fprintf(stderr, "%s: %s\n", call, std::strerror(error));
  std::exit(1);
}

class child {
public:
  using milliseconds = std::chrono::milliseconds;

  /// Starts the process. `arguments` begin with a name; `variables` are its environment, or null for this process's.
  explicit child(std::vector<std::string> arguments, char* const* variables = nullptr) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) broken("pipe2", errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (ends[1] == parent_descriptor) fcntl(ends[1], F_SETFD, 0); // dup2 onto itself would keep O_CLOEXEC
    else posix_spawn_file_actions_adddup2(&actions, ends[1], parent_descriptor);
    std::vector<char*> pointers;
    for (std::string& a : arguments) pointers.push_back(a.data());
    pointers.push_back(nullptr);
    if (int const error = posix_spawn(&process_, "/proc/self/exe", &actions, nullptr, pointers.data(),
                                      variables ? variables : environ))
      broken("posix_spawn", error);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    from_child_ = ends[0];
  }
  child(child const&) = delete;
  child& operator=(child const&) = delete;
  /// Kills the process if it has not ended.
  ~child() {
    if (!ends_within(milliseconds(0))) {
      kill(process_, SIGKILL);
      waitpid(process_, &status_, 0);
    }
    close(from_child_);
  }

  /// Waits for a byte; returns whether there was one, false if the process ends or the time is over.
  bool read_byte(milliseconds limit, char& byte) {
    pollfd descriptor{from_child_, POLLIN, 0};
    return poll(&descriptor, 1, int(limit.count())) == 1 && read(from_child_, &byte, 1) == 1;
  }

  /// Waits until the process ends; returns whether it does within the time.
  bool ends_within(milliseconds limit) {
    auto const deadline = std::chrono::steady_clock::now() + limit;
    while (!has_ended_) {
      has_ended_ = waitpid(process_, &status_, WNOHANG) == process_;
      if (has_ended_ || std::chrono::steady_clock::now() >= deadline) break;
      usleep(2000);
    }
    return has_ended_;
  }

  /// The status as waitpid gives it.
  /// Requires: the process has ended
  int status() const { return status_; }

  /// The descriptor on which a child finds its parent.
  static constexpr int parent_descriptor = 3;

private:
  pid_t process_ = 0;
  int from_child_ = -1, status_ = 0;
  bool has_ended_ = false;
};

/// In a child: tells the parent a byte.
inline void tell_parent(char byte) {
  if (write(child::parent_descriptor, &byte, 1) != 1) broken("write", errno);
}

} // namespace cudax_test
