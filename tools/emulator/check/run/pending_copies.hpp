// SPDX-License-Identifier: Apache-2.0
//
// pending_copies: copies that were issued and are not made yet.
// Each is read and, later, written at random times, unless a thread waits for it. A thread's groups keep their
// copies until the thread has waited for them, since only then their writes are before what it does next.
#pragma once

#include "../../instructions/support/copies/asynchronous.hpp"
#include "findings.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace emulator::check {

struct run;

class pending_copies {
public:
  bool empty() const { return unfinished_.empty() && arrivals_.empty(); }
  void issue(run&, thread&, asynchronous_write const&);
  void commit(thread&, group_kind);
  /// `reads`: only until they have read what they copy.
  void wait(run&, thread&, group_kind, std::uint32_t pending, bool reads);
  void arrive_after(run&, thread&, std::byte* barrier);

  /// Reads or writes one of them, or makes an arrival that waited for them.
  void advance(run&, thread* volatile& current);
  /// The threads of the block have ended, `last` at last: copies that they issued are made now. Reports those that read
  /// the block's shared memory and for which their issuer has not waited: the memory ends with the block.
  /// The block's copies are kept until end_block.
  void finish(run&, thread const& last, thread* volatile& current);
  /// Forgets the copies of the block, which has ended or was stopped.
  void end_block(block const&);

private:
  struct copy {
    std::uint64_t number;
    thread* who;
    operation const* what;
    asynchronous_write write;
    std::uint64_t group;
    std::uint64_t phase = 0; ///< of its barrier, when it was issued
    bool is_read = false, is_written = false;
    place issued_at{};
    std::vector<std::byte> data;
  };
  using copy_pointer = std::shared_ptr<copy>;
  struct arrival {
    thread* who;
    operation const* what;
    std::byte* barrier;
    std::vector<copy_pointer> after;
  };
  struct thread_groups {
    std::uint64_t committed[2]{};
    std::vector<copy_pointer> copies; ///< not yet waited for
    std::vector<copy_pointer> read;   ///< waited for until they have read what they copy
  };

  void read(run&, copy&);
  void write(run&, copy&);
  void read_parts(run&, copy&);
  void write_parts(run&, copy&);
  void make(run&, arrival const&);
  void check_end(thread const& last) const;
  std::vector<copy_pointer> unfinished_;
  std::vector<arrival> arrivals_;
  std::unordered_map<thread const*, thread_groups> groups_;
};

} // namespace emulator::check
