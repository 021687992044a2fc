// SPDX-License-Identifier: Apache-2.0
//
// Misuse of insert_only_map that only a run can detect stops the program: in checked builds an array that cannot be a
// map, in every build an order that is not allowed. Misuse known at compile time: misuse.fail.cpp.
#include "support/death.hpp"
import cudax.sync;

using namespace cudax;
using cudax_test::hidden;

DEATHS_BEGIN

using map = insert_only_map<unsigned, unsigned>;
using unpacked = insert_only_map<unsigned, unsigned, thread_scope_system, value_hash, value_equal, 0>;

SURVIVAL("maps that are as small as possible") {
  map::slot slots[2]{};
  unpacked::slot others[1]{};
  map const entries(slots, unsigned(hidden(2)));
  unpacked const other_entries(others, unsigned(hidden(1)));
  (void)entries.insert(1, 2, memory_order(hidden(0)));
  (void)other_entries.insert(1, 2, memory_order(hidden(4)));
  (void)entries.find(1, memory_order(hidden(2)));
}
DEATH(
    "a packed map without a slot for a key",
    "cudax.sync: insert_only_map: an array of 1 slots has none for a key; use 1 slot or more, or 2 for a packed map") {
  map::slot slots[2]{};
  (void)map(slots, unsigned(hidden(1)));
}
DEATH(
    "a map without a slot",
    "cudax.sync: insert_only_map: an array of 0 slots has none for a key; use 1 slot or more, or 2 for a packed map") {
  unpacked::slot slots[1]{};
  (void)unpacked(slots, unsigned(hidden(0)));
}
DEATH("no array", "cudax.sync: insert_only_map: the array of 5 slots is null; check its allocation") {
  (void)map((map::slot*)(unsigned long long)hidden(0), 5);
}
DEATH("an array that is misaligned",
      "cudax.sync: insert_only_map: the array at address 0x*4 is not aligned to alignof(insert_only_map::slot)") {
  alignas(16) char slots[64]{};
  (void)map((map::slot*)(slots + hidden(4)), 5);
}
DEATH("an insertion that is sequentially consistent",
      "cudax.sync: insert_only_map: memory order 5 is not allowed in an insertion; use relaxed, release, acquire or "
      "acq_rel") {
  map::slot slots[2]{};
  (void)map(slots, 2).insert(1, 2, memory_order(hidden(5)));
}
DEATH("a search that releases",
      "cudax.sync: insert_only_map: memory order 3 is not allowed in a search; use relaxed or acquire") {
  map::slot slots[2]{};
  (void)map(slots, 2).contains(1, memory_order(hidden(3)));
}

DEATHS_END
