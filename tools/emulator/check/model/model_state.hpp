// SPDX-License-Identifier: Apache-2.0
//
// model_state: what the model keeps, and what its parts do for each other. One lock is around all of it: accesses come
// one after the other anyway, and the host's threads allocate memory meanwhile.
#pragma once

#include "agents.hpp"
#include "causes.hpp"
#include "code_locations.hpp"
#include "histories.hpp"
#include "regions.hpp"
#include "shadow.hpp"

#include <mutex>
#include <set>
#include <tuple>

namespace emulator::check {

inline std::uintptr_t number(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }

inline bool is_strong(semantics s) { return s != semantics::weak; }
inline bool releases(semantics s) { return s == semantics::release || s == semantics::acq_rel; }
inline bool acquires(semantics s) { return s == semantics::acquire || s == semantics::acq_rel; }

/// A barrier object: what arrived at its last few phases.
struct barrier_object {
  std::vector<std::pair<u64, tokens>> phases{};
  struct arrival {
    u64 phase = ~u64(0);
    u32 who = 0, epoch = 0;
    emulator::scope scope = emulator::scope::none;
    struct sight {
      u32 who, epoch;
      emulator::scope scope;
    };
    std::vector<sight> seen_by{}; ///< those that saw that the phase had ended, and did not acquire it: when
  };
  std::array<arrival, 4> last{}; ///< of each phase
  u32 made_by = no_agent;        ///< of an mbarrier: who executed mbarrier.init, when and where
  u32 made_epoch = 0, made_at = 0;
};

/// fence.proxy.tensormap::generic.release: who executed it, when, and what it released.
struct map_release {
  u32 who, epoch;
  emulator::scope scope;
  shared_clock known; ///< its own accesses, too
};

/// fence.proxy.tensormap::generic.acquire: who executed it, when, what was known then, and what of that was released.
struct map_fence {
  u32 who, epoch;
  shared_clock known, released;
  u32 released_epoch; ///< of its own accesses
};

struct model::state {
  /// An asynchronous copy: its agent, the epoch of its end, and the instruction that issued it.
  struct copy {
    u32 who, epoch, code;
  };

  state(random& r, std::function<void(finding const&)> f) : chance(r), report(std::move(f)) {}

  std::mutex mutex;
  random& chance;
  std::function<void(finding const&)> report;
  check::code_locations code_locations;
  check::agents agents;
  check::regions regions;
  check::shadow shadow;
  check::histories histories;
  std::unordered_map<void const*, barrier_object> barriers;
  /// The first ones, up to so many that the scopes of all are compared.
  std::vector<map_release> map_releases;
  std::unordered_map<void const*, std::vector<map_fence>> map_fences; ///< by the map's address, one of each agent
  tokens fences;                                                      ///< of fence.sc
  token host{.scope = emulator::scope::sys};                          ///< what the host may know
  std::unordered_map<u64, copy> copies;                               ///< by number
  std::unordered_map<u32, u64> copy_of_agent;
  u64 copies_issued = 0;
  u64 messages = 0;     ///< that threads wrote
  bool is_over = false; ///< no grid is left
  std::set<std::tuple<std::string, u32, u32>> reported;

  void forget_grids();

  // --- accesses.cpp ---
  enum class answer { rejected, not_shadowed, shadowed };
  answer admit(agent const&, access const&, u32 code, bool reads, bool writes);
  /// The region of an access, or, of an operation on a word, one that is present and has a byte there.
  region* region_of(access const&);
  /// `what`: "a read of 4 bytes"; the report goes on with the address and what is there.
  void report_outside(agent const&, access const&, u32 code, region const*, std::string const& what);
  unsigned outside(access const&, unsigned changed); ///< which of these bytes of a word are in no region
  /// An operation turned the word `before` into `after`: which of its bytes have a value now.
  void note_written(access const&, std::byte const* before, std::byte const* after,
                    std::function<bool(void*)> const& modify);
  void load(agent&, access const&, u32 code, void* value);
  void store(agent&, access const&, u32 code, void const* value);
  bool update(agent&, access const&, u32 code, void* old, std::function<bool(void*)> const& modify);
  void observe_memory(agent& who, access const&, u32 code);
  /// Adds a message to what `a` writes, before that of this index, and remembers it if it is a release.
  void insert(agent& who, access const& a, location&, std::size_t index, message);

  // --- placement.cpp ---
  /// Where a strong store goes in coherence order: before the message of this index, or after all of them.
  std::size_t place_for_store(agent const& who, access const&, location const&);
  /// Which message a read-modify-write reads. Where all but the first are of read-modify-writes, one that stores can
  /// only read the newest: each of them has read the one before.
  std::size_t source_for_update(agent const& who, access const&, location const&,
                                std::function<bool(void*)> const& modify);
  /// The first message that `who` may read: nothing newer was written or seen by what happens before.
  std::size_t floor_of(agent const& who, access const&, location const&);
  /// Whether a write, now, may come before this message, as far as the two writes alone tell.
  bool may_precede(agent const& who, access const&, message const&) const;
  bool may_be_placed(agent const& who, access const&, location const&);

  // --- locations.cpp ---
  /// The locations that a strong access is about: one, or the parts of a word that is accessed in parts, too.
  class parts {
  public:
    void push_back(location* l) { all_[size_++] = l; }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    location* const* begin() const { return all_.data(); }
    location* const* end() const { return all_.data() + size_; }

  private:
    std::array<location*, 4> all_{};
    std::size_t size_ = 0;
  };
  /// `make`: where there is none, makes one; else returns none.
  parts parts_of(access const&, bool make);
  location* location_of(access const&); ///< one of just this place and size, or none
  location& make_location(access const&);
  bool patch(access const&, void const* value);
  void forget_locations(std::uintptr_t, std::size_t);
  void forget_memory(std::uintptr_t, std::size_t);
  void forget_barriers(std::uintptr_t, std::size_t);
  void notice_host(location&, void const* memory);

  // --- races.cpp ---
  /// `changed`: the bytes of a word that a read-modify-write changes; of the others it is a reader.
  void check(agent&, access const&, u32 code, bool writes, unsigned changed = 15);
  /// How an access, whose mark is `m`, stands to an earlier one of the same bytes, `earlier`.
  enum class order {
    harmless, ///< they do not conflict, or are morally strong
    fenced,   ///< the earlier one happens before the access
    unfenced, ///< the same, but no proxy fence comes between
    none
  };
  order order_of(agent const& who, access const&, mark const& m, bool writes, mark const& earlier, bool earlier_writes);
  /// Whether a read by ld.global.nc comes while the kernel of an earlier write runs.
  bool is_too_early(agent const& who, mark const& earlier) const;

  // --- causes.cpp ---
  /// Why an access is not ordered with an earlier one. `only_proxy`: but for a proxy fence, they are ordered.
  cause cause_of(agent const& who, access const&, mark const& earlier, bool only_proxy) const;

  // --- tensor_maps.cpp ---
  /// Whether an acquire fence of the tensor map comes between `earlier`, a generic access, and a copy of `who`, and a
  /// release fence between the access and that fence.
  bool knows_map_fenced(agent const& who, std::byte const* map, mark const& earlier) const;
  /// The same without the release fence.
  bool knows_map_acquired(agent const& who, std::byte const* map, mark const& earlier) const;

  // --- synchronization.cpp ---
  /// Whether what that agent did in this epoch to the memory of this access happens before what `who` does there next.
  bool knows_at(agent const& who, access const& a, u32 number, u32 epoch) {
    return agents.knows(who, number, epoch) || (!who.known.shared.empty() && knows_in_shared_at(who, a, number, epoch));
  }
  bool knows_in_shared_at(agent const& who, access const&, u32 number, u32 epoch);
  /// Whether the write `earlier`, at the mbarrier that `who` accesses, is an arrival that was observed by a wait that
  /// happens before this access. Then it precedes the access in causality order, with or without an acquire.
  bool knows_as_observed(agent const& who, access const&, mark const& earlier);
  bool matches(token const&, agent const&, emulator::scope) const;
  bool has(agent&, token const&) const;
  /// `who` reads a message: takes what it may take of its tokens now, or keeps them for a fence.
  void observe(agent& who, access const&, u32 code, message const&);
  /// `m`: the message that it read, where it is one of a location.
  void take(agent& who, tokens const&, void const* where, emulator::scope, bool acquires, u32 code,
            message const* m = nullptr);
  /// `for_shared`: for accesses to shared memory alone; then what it took can be acquired once more.
  void acquire_pending(agent& who, emulator::scope, u32 code, void const* where, bool for_shared = false);
  /// What a strong write of `who` carries.
  tokens carried(agent const& who, std::byte const* where, emulator::scope, bool releases, u32 code);
  bool is_strong_pair(agent const& who, access const&, message const&) const;
  void miss(agent& who, missed);
  /// What arrived at this phase, at which `who` arrives now.
  tokens& phase_of(void const* object, u64 phase, agent const& who, u32 epoch, emulator::scope);

  // --- visits.cpp ---
  void visit(u32 who, u32 epoch, u32 code, void const* object, u64 phase);
  void forget_visits(void const* object);
  /// A thread of the block has seen a release, or read a message, and perhaps acquires nothing by that.
  static void note_observed(block_agent&, token const&);
  static void note_observed(block_agent&, message const&);

  // --- stale.cpp ---
  /// A thread read `m` of a location, or, null, what is in no history.
  void note_read(agent& who, access const& a, u32 code, message const* m) {
    u64 const serial = m ? m->serial : 0;
    bool const has_changed = who.last_serial != serial && who.last_where == a.where && who.last_code == code;
    who.last_where = a.where;
    who.last_code = code;
    who.last_serial = serial;
    if (has_changed && serial) [[unlikely]]
      note_poll(who, a, code, *m);
  }
  /// It polled for a location that has changed now.
  void note_poll(agent& who, access const&, u32 code, message const&);
  void note_promise(agent& who, promise);
  /// `who` reads a location of which it may get another message than the newest, `oldest` at the earliest.
  void suspect(agent& who, access const&, u32 code, location const&, std::size_t oldest);
  bool is_promised(promise const&, message const&) const;
  void report_stale(agent const& who, suspicion const&);
  /// What `who` suspected is so, or, if `drop`, is not.
  void settle(agent& who, bool drop) {
    if (who.suspected) [[unlikely]]
      settle_suspicion(who, drop);
  }
  void settle_suspicion(agent& who, bool drop);

  // --- explain.cpp ---
  finding::party party_of(agent const&, u32 code) const;
  std::string described(agent const&, u32 code) const;
  std::string where(u32 code) const; ///< the instruction and its lines
  std::string explained(cause const&, access const&, mark const& earlier) const;
  bool is_reported(char const* kind, u32 code, u32 other) const;
  void report_finding(std::string kind, std::string text, std::vector<std::pair<agent const*, u32>> parties);
  /// `m`: the access; `cause`: why it is not ordered with `earlier`.
  void report_race(agent const& who, access const&, mark const& m, bool writes, mark const& earlier,
                   bool earlier_writes, cause const&);
  void report_read_only(agent const& who, access const&, u32 code, mark const& earlier);
};

/// What of an access is about this location.
access part_of(access const&, location const&);

char const* name_of(semantics);
char const* name_of(scope);
/// "4 bytes at 0x7f00 (flag, byte 0)"; null: in no known memory
std::string place_of(std::uintptr_t start, std::size_t size, region const*);

} // namespace emulator::check
