// SPDX-License-Identifier: Apache-2.0
//
// model: what PTX's memory model says of a run, while it runs.  [PTX ISA, "Memory Consistency Model"]
// Every access, fence and barrier of every thread comes here, one after the other, in the order in which they were
// carried out. The model keeps what each thread knows (vector clocks), which agent last accessed each location and how
// (shadow memory), and for locations that strong operations access a short history of messages, from which a strong
// load may take any that the model allows. It reports what the model forbids or leaves undefined.
//
// Two accesses race where they conflict (overlap, one writes), neither happens before the other, and they are not
// morally strong: both strong, the scope of each includes the other's thread, and of one object: the same bytes, or
// parts of a word and the word. Happens-before is base causality order: program order, and synchronization: a release
// pattern (a releasing write, or a fence and a strong write after it) observed by an acquire pattern (an acquiring
// read, or a strong read and a fence after it) through morally strong accesses, read-modify-writes passing on what they
// read, where the first operation of the one and the last of the other are morally strong, too; barriers; the start and
// end of grids. Of causality order beyond that, one case is modelled: an arrival at an mbarrier that a wait has
// observed precedes what comes after the wait.
//
// Not modelled: load buffering, and values out of thin air. The host is one more agent that is never reported: memory
// whose bytes differ from what the model knows was written by the host, with release at system scope.
#pragma once

#include "../../instructions/support/memory/memory.hpp"
#include "../../machine/thread.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emulator::check {

/// A thread and its operation, for clocks and reports.
struct action {
  thread const& who;
  operation const* what; ///< an operation of who.frame->function
};

enum class proxy : std::uint8_t { generic, async, tensormap }; ///< tensormap: the reads of tensor maps

struct access : action {
  std::byte* where; ///< on the host
  std::uint32_t size;
  emulator::semantics semantics; ///< weak: not strong
  emulator::scope scope;         ///< none where weak
  check::proxy proxy = proxy::generic;
  bool is_reduction = false;     ///< what it reads makes no acquire pattern
  bool is_comparison = false;    ///< a read-modify-write that may store nothing
  std::uint32_t vector_size = 0; ///< of all elements, where this is one of those that an instruction accesses; else 0
  bool is_read_only = false;     ///< ld.global.nc: of memory that nothing writes while the kernel runs
};

/// One finding. `kind`: "race", "stale", "out of bounds", "use after free", "uninitialised", "deadlock", "livelock",
/// "divergence", "misuse"; `text` has several lines: both accesses with kernel, block, thread, PTX line and source
/// line, the scopes and orders involved, and why they do not synchronise.
struct finding {
  std::string kind;
  std::string text;
  struct party {
    std::string kernel;
    std::uint32_t block[3], thread[3];
    std::string instruction; ///< as PTX
    int ptx_line = 0;
    std::string source;               ///< "file:line", where known
    std::vector<std::string> callers; ///< the same of the calls by which it was inlined, the innermost first
  };
  std::vector<party> parties;
};

/// A random source that a seed determines: seeds, schedules and choices of the model come from it alone.
class random {
public:
  explicit random(std::uint64_t seed);
  std::uint64_t next();
  std::uint32_t below(std::uint32_t bound); ///< uniform in [0, bound)
  bool once_in(std::uint32_t n) { return below(n) == 0; }

private:
  std::uint64_t state_;
};

class model {
public:
  /// `report` is called for each finding; the same pair of places is reported once.
  model(random&, std::function<void(finding const&)> report);
  ~model();

  // --- life of grids, blocks and threads ---
  /// Happens after all grids that have ended, and after what the host did; a dependent one after what the grid before
  /// it in the stream happens after.
  void begin_grid(grid const&);
  void end_grid(grid const&);
  void begin_block(block const&); ///< its shared memory is uninitialised
  void end_block(block const&);   ///< accesses to its shared memory from now on are use after free
  void begin_thread(thread const&);
  void end_thread(thread const&);
  /// griddepcontrol.wait: what the grid before this one did happens before what the grid does next.
  void wait_for_prerequisites(action const&);

  // --- memory of the program ---
  /// `name`: "device memory", "__shared__ data", "managed memory", a variable's name.
  /// `has_no_value`: a read before the first write is a finding.
  void allocated(std::byte* where, std::size_t size, std::string name, bool has_no_value = false);
  void freed(std::byte* where);
  /// "4 bytes of flag, which are 0x1".
  std::string describe(thread const&, std::byte const* where, std::uint32_t size);
  /// The host wrote `rows` rows of `width` bytes, `pitch` bytes apart.
  void written(std::byte const* where, std::size_t pitch, std::size_t width, std::size_t rows);

  // --- accesses; `value` has access::size bytes ---
  void load(access const&, void* value); ///< gives the value: for a strong load one of those that are allowed
  /// Carries it out. Memory gets the value only if no later one in coherence order is there.
  void store(access const&, void const* value);
  /// Reads a value into `old`, lets `modify` turn it into the new one in place, and stores that right after it in
  /// coherence order. A modify that returns false stores nothing (a compare-and-swap that failed): then it was a strong
  /// read. Returns: whether it stored another value than it read
  bool update(access const&, void* old, std::function<bool(void*)> const& modify);
  /// An access that only has to be checked: an asynchronous copy's, printf's, one of the emulator's.
  void touched(access const&, bool writes);

  /// `is_restricted` (.sync_restrict): a release of what is in the shared memory of the thread's block, or an acquire
  /// for what is in the shared memory of any block, and of nothing else.
  void fence(action const&, semantics, scope, bool is_sc, bool is_restricted);
  /// Generic accesses before it are seen by async ones after it, and vice versa, of objects in global or shared memory.
  void proxy_fence(action const&, bool global = true, bool shared = true);
  /// Generic accesses of the tensor map at `where` that happen before, and have been released, are seen by copies after
  /// it that read the map.
  void tensor_map_fence(action const&, std::byte const* where, scope);
  /// Releases generic accesses that happen before to the proxy that reads tensor maps.
  void tensor_map_release(action const&, scope);

  // --- barriers ---
  // A meeting is one phase of one barrier object: what arriving threads did before happens before what leaving threads
  // do after, as far as the scope goes. `object` is where the barrier lies (an mbarrier's address, a named barrier, a
  // warp's mask).
  void arrive(action const&, void const* object, std::uint64_t phase, scope, bool releases);
  void leave(action const&, void const* object, std::uint64_t phase, scope, bool acquires);
  void forget(void const* object); ///< its memory is used for something else
  /// An mbarrier begins, and a thread is about to use it, or to issue a copy that will: reports a use that need not
  /// come after the beginning.
  void begin_barrier(action const&, void const* object);
  void use_barrier(action const&, void const* object);
  /// Whether `who` knows that this phase of an mbarrier ended: its last arrival, as far as that is still known, happens
  /// before, or a wait that found it over.
  bool knows_phase(action const& who, void const* object, std::uint64_t phase);

  // --- shared memory of other blocks ---
  /// A thread uses an mbarrier of another block, in this phase.
  void visit(action const&, void const* object, std::uint64_t phase);
  /// The last thread of a block ends. Reports accesses to the block's shared memory by others that need not come
  /// before. `awaited(object)`: how many phases of an mbarrier threads of the block have waited for.
  void check_visits(action const& last, std::function<std::uint64_t(void const* object)> const& awaited);

  // --- asynchronous copies ---
  /// A copy was issued: it will read and write as the async proxy, after what `who` did before (for the generic proxy
  /// only what a proxy fence covers). Returns its number.
  std::uint64_t issue(action const&);
  void async_load(std::uint64_t copy, access const&, void* value);
  void async_store(std::uint64_t copy, access const&, void const* value);
  /// The copy arrives at a meeting: its own writes, and nothing else of the issuer's, happen before what leaving
  /// threads do.
  void async_arrive(std::uint64_t copy, void const* object, std::uint64_t phase);
  /// The issuer waited for it (wait_group, wait_all): its accesses, or its reads alone (wait_group.read), happen before
  /// what `who` does next.
  void async_wait(std::uint64_t copy, action const& who, bool for_reads = false);

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace emulator::check
