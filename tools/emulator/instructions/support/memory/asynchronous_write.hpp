// SPDX-License-Identifier: Apache-2.0
//
// asynchronous_write: the record of a write that is performed asynchronously to the thread that issues it: the data,
// their source, and the mbarrier to notify. copies/ fills in the record, and performs the write at once; in a checked
// run the observer performs it, at any later time.
#pragma once

#include "memory.hpp"

#include <array>
#include <memory>
#include <vector>

namespace emulator {

/// A run of bytes of a write that has several.
struct asynchronous_part {
  std::byte* to;
  std::byte const* from; ///< null: asynchronous_write::fill
  u32 size;
};

struct asynchronous_write {
  std::byte* to = nullptr;
  std::byte const* from = nullptr; ///< null: from `value`
  std::array<std::byte, 16> value{};
  u32 size = 0;             ///< bytes
  u32 zeros = 0;            ///< this many bytes at the end become 0 instead
  u32 unit = 8;             ///< bytes that are written atomically: 4 or 8
  u32 mask = 0xffff;        ///< which of every 16 bytes are written
  bool async_proxy = false; ///< performed by the asynchronous proxy: bulk copies and similar
  void (*reduce)(std::byte* to, std::byte const* from, u32 size) = nullptr; ///< instead of writing
  std::byte* barrier =
      nullptr; ///< the mbarrier to notify of `size` bytes; null: the write belongs to the thread's groups
  std::byte const* map = nullptr;                                ///< the tensor map that it reads
  std::shared_ptr<std::vector<asynchronous_part> const> parts{}; ///< of a tensor, instead of `to` and `from`
  u64 fill = 0;                                                  ///< what parts without a source get, again and again
  void (*convert)(std::byte* elements, u32 size) = nullptr;      ///< what parts with a source become on the way
};

/// The largest unit, at most 8 bytes, in which a part can be accessed.
inline u32 unit_of(asynchronous_part const& p) {
  u64 const all = reinterpret_cast<u64>(p.to) | reinterpret_cast<u64>(p.from) | p.size | 8;
  return u32(all & -all);
}

/// The groups of cp.async (not bulk) and cp.async.bulk.
enum class group_kind : u8 { copies, bulk_copies };

} // namespace emulator
