// SPDX-License-Identifier: Apache-2.0
#include "write_cuda.hpp"

#include <algorithm>
#include <set>

#include "forms.hpp"
#include "host_form.hpp"
#include "layout.hpp"
#include "primitives.hpp"

namespace litmus_runner {

namespace {

using namespace litmus;

[[noreturn]] void refuse(program const& p, std::string const& what) { throw not_runnable(p.name + ": " + what); }

char const* sign(comparison c) {
  switch (c) {
  case comparison::equal: return " == ";
  case comparison::not_equal: return " != ";
  case comparison::less: return " < ";
  case comparison::less_equal: return " <= ";
  case comparison::greater: return " > ";
  case comparison::greater_equal: return " >= ";
  }
  return " ? ";
}

/// A constant of the type of `size` bytes.
std::string constant(value v, unsigned size) {
  if (size < 16) return decimal(v) + (size == 8 ? "ull" : "u");
  auto const low = static_cast<unsigned long long>(v), high = static_cast<unsigned long long>(v >> 64);
  std::string const l = std::to_string(low) + "ull";
  return high ? "(u128(" + std::to_string(high) + "ull) << 64 | " + l + ")" : "u128(" + l + ")";
}

/// Writes the operations of one program at one placement.
class writer {
public:
  writer(program const& p, placement const& where, outcome const& o, form f) : p_(p), where_(where), o_(o), form_(f) {
    if (!p.objects.empty() && f == form::ptx) refuse(p, "primitives of the library have no form in PTX");
    if (p.locations.size() + p.objects.size() > 8) refuse(p, "the runner has at most 8 locations and primitives");
    for (auto const& l : p.locations) {
      cell_.push_back(l.part_of ? -1 : int(cells_));
      cells_ += !l.part_of;
    }
    std::set<int> devices, clusters, blocks;
    for (std::size_t t = 0; t < where.threads.size(); ++t) {
      auto const& at = where.threads[t];
      if (at.host) {
        on_host_ |= 1u << t;
        continue;
      }
      devices.insert(at.device);
      clusters.insert(at.cluster);
      blocks.insert(at.block);
    }
    if (devices.empty()) refuse(p, "the runner runs no program whose threads are all on the host");
    if (devices.size() > most_grids) refuse(p, "the runner runs threads of at most two devices");
    met_by_host_ = on_host_ != 0 || devices.size() > 1;
    for (std::size_t l = 0; l < p.locations.size(); ++l) {
      if (memory_of(p, where, int(l)) != memory_kind::shared || cell_[l] < 0) continue;
      if (clusters.size() > 1)
        refuse(p, p.locations[l].name + " is in shared memory, and the threads are in several clusters");
      shared_ |= 1u << cell_[l];
    }
    for (auto const& o : p.objects) {
      primitives_.push_back({o.kind, resolved(o.scope), o.count, "at[" + std::to_string(cells_) + "]", o.name});
      if (where.memory == memory_kind::shared) shared_ |= 1u << cells_;
      ++cells_;
    }
    if (shared_ && clusters.size() > 1)
      refuse(p, "a primitive is in shared memory, and the threads are in several clusters");
    one_block_ = blocks.size() == 1;
    may_not_end_ = may_not_end();
    check_barriers();
    if (met_by_host_) check_host();
  }

  kernel_text write() {
    std::string shape = "  static constexpr unsigned threads = " + std::to_string(p_.threads.size()) +
                        ", locations = " + std::to_string(cells_) + ", shared = " + std::to_string(shared_) +
                        ", cell = " + std::to_string(stride()) + ";\n";
    std::string text =
        "  static __device__ __forceinline__ void run(unsigned thread, [[maybe_unused]] char* const* at, "
        "[[maybe_unused]] layout const& all, [[maybe_unused]] patience& awaits, [[maybe_unused]] unsigned& seen) {\n" +
        runs(false);
    std::string const side = met_by_host_ ? "  static " : "  static __device__ __forceinline__ ";
    if (met_by_host_) {
      auto const flag = [](bool value) { return value ? "true" : "false"; };
      shape += "  static constexpr unsigned on_host = " + std::to_string(on_host_) +
               ";\n  static constexpr bool own = " + flag(has_own()) + ", waits = " + flag(needs_.waits) +
               ", native_atomics = " + flag(needs_.native_atomics) + ", peer_atomics = " + flag(needs_.peer_atomics) +
               ";\n";
      text += "  static void run_on_host(unsigned thread, [[maybe_unused]] char* const* at, [[maybe_unused]] "
              "patience_of_host& awaits, [[maybe_unused]] unsigned& seen) {\n" +
              runs(true) + care("  static __device__ __forceinline__ ", "_own", true);
    }
    text += care(side, "", false);
    std::string memory;
    bool barriers = false;
    for (std::size_t l = 0; l < p_.locations.size(); ++l)
      if (cell_[l] >= 0) memory += "gsmu"[int(memory_of(p_, where_, int(l)))];
    for (auto const& o : p_.objects) (void)o, memory += "gsmu"[int(where_.memory)];
    for (auto const& t : p_.threads)
      for (auto const& i : t.instructions) barriers |= i.operation == operation::sync;
    return {met_by_host_, shape, text, memory, barriers, may_not_end_, stride()};
  }

private:
  /// The threads of one side, as the cases of a switch.
  std::string runs(bool host) const {
    std::string text = "    switch (thread) {\n";
    for (std::size_t t = 0; t < p_.threads.size(); ++t)
      if (where_.threads[t].host == host) text += run(int(t));
    return text + "    }\n  }\n";
  }

  /// Whether a location is in global memory, which the host cannot access, in a test that the host checks.
  bool is_own(int location) const { return met_by_host_ && memory_of(p_, where_, location) == memory_kind::global; }
  bool primitives_are_own() const { return met_by_host_ && where_.memory == memory_kind::global; }
  bool has_own() const {
    for (std::size_t l = 0; l < p_.locations.size(); ++l)
      if (is_own(int(l))) return true;
    return !p_.objects.empty() && primitives_are_own();
  }

  /// The functions that check an instance, end its primitives, and restore it: for what is in is_own(), or the rest.
  std::string care(std::string const& side, std::string const& suffix, bool own) const {
    std::string text =
        side + "unsigned finals" + suffix + "([[maybe_unused]] char* const* at) {\n    unsigned seen = 0;\n";
    for (auto const& i : o_.items)
      if (i.location >= 0 && is_own(i.location) == own) {
        unsigned const size = size_of(i.location);
        text += "    { " + type_of(size) + " const last = final_value<" + type_of(size) + ">(" + address(i.location) +
                "); " + note("last", size, i) + " }\n";
      }
    text += "    return seen;\n  }\n" + side + "void restore" + suffix + "([[maybe_unused]] char* const* at) {\n";
    for (std::size_t l = 0; l < p_.locations.size(); ++l)
      if (cell_[l] >= 0 && is_own(int(l)) == own) {
        unsigned const size = size_of(int(l));
        text += "    initial_value<" + type_of(size) + ">(" + address(int(l)) + ", " +
                constant(p_.locations[l].initial, size) + ");\n";
      }
    bool const primitives = primitives_are_own() == own;
    for (auto const& o : primitives_)
      if (primitives) text += "    " + make(o) + "\n";
    text += "  }\n" + side + "void end" + suffix + "([[maybe_unused]] char* const* at) {\n";
    for (auto const& o : primitives_)
      if (auto const ends = end(o); primitives && !ends.empty()) text += "    " + ends + "\n";
    return text + "  }\n";
  }

  void check_host() {
    if (shared_)
      refuse(p_, "the runner has no locations in shared memory beside threads of the host or of another device");
    needs_ = needs_of(p_, where_);
    for (auto const& t : p_.threads)
      for (auto const& i : t.instructions)
        if (i.operation == operation::sync && (needs_.waits || !on_host_))
          refuse(p_, "beside threads of the host or of another device, not every thread of a block runs a test; the "
                     "others would not come to sync");
  }

  int cell_of(int location) const { return cell_[std::size_t(whole_of(p_, location))]; }

  unsigned size_of(int location) const { return unsigned(p_.locations[std::size_t(location)].size); }

  std::string address(int location) const {
    auto const& l = p_.locations[std::size_t(location)];
    if (!l.part_of) return "at[" + std::to_string(cell_[std::size_t(location)]) + "]";
    return "(at[" + std::to_string(cell_[std::size_t(l.part_of->parent)]) + "] + " + std::to_string(l.part_of->offset) +
           ")";
  }

  litmus::scope resolved(litmus::scope s) const { return s == litmus::scope::narrowest ? where_.scope : s; }

  /// The size of a register: that of the widest access that writes it, at least 4.
  unsigned size_of(litmus::thread const& t, int reg) const {
    unsigned size = 4;
    for (auto const& i : t.instructions)
      if (i.result == reg && i.location >= 0) size = std::max(size, size_of(i.location));
    return size;
  }

  std::string reg(litmus::thread const& t, int r) const { return "r_" + t.registers[std::size_t(r)]; }
  std::string text_of(litmus::thread const& t, operand const& o, unsigned size) const {
    return o.reg ? reg(t, *o.reg) : constant(o.constant, size);
  }
  std::string text_of(litmus::thread const& t, expression const& e, unsigned size) const {
    std::string text = text_of(t, e.first, size);
    for (auto const& step : e.rest) text = "(" + text + " " + step.op + " " + text_of(t, step.right, size) + ")";
    return e.rest.empty() && !e.first.reg ? text : type_of(size) + "(" + text + ")";
  }

  /// Sets the bits of an item in `seen`.
  std::string note(std::string const& variable, unsigned size, outcome_item const& i) const {
    std::string const shift = i.shift ? " << " + std::to_string(i.shift) : "";
    if (i.counting)
      return "seen |= " + variable + " <= " + constant(i.values.back(), size) + " ? unsigned(" + variable + ")" +
             shift + " : other;";
    std::string text = "seen |= ";
    for (std::size_t c = 0; c < i.values.size(); ++c)
      if (size == 16 || i.values[c] >> (8 * size) == 0)
        text += variable + " == " + constant(i.values[c], size) + " ? " + std::to_string(c) + "u" + shift + " : ";
    return text + "other;";
  }

  access access_of(litmus::thread const& t, instruction const& i) const {
    access a;
    a.address = address(i.location);
    a.size = size_of(i.location);
    a.order = i.order;
    a.failure = i.failure;
    a.elements = unsigned(i.elements);
    if (shared_ >> cell_of(i.location) & 1) a.space = one_block_ ? ".shared" : "";
    a.scope = resolved(i.scope);
    a.bounded = may_not_end_;
    if (i.result) a.result = reg(t, *i.result);
    if (!i.values.empty()) a.value = text_of(t, i.values[0], a.size);
    if (i.expected) a.expected = text_of(t, *i.expected, a.size);
    return a;
  }

  /// All threads of the program that share a block meet there equally often, since other instances run in the same
  /// block.
  void check_barriers() const {
    for (level const where : {level::warp, level::block, level::cluster, level::grid})
      for (std::size_t t = 0; t < p_.threads.size(); ++t)
        for (std::size_t u = 0; u < t; ++u) {
          auto const &a = where_.threads[t], &b = where_.threads[u];
          bool const together = where == level::warp    ? a.warp == b.warp
                                : where == level::block ? a.block == b.block
                                                        : where == level::grid || a.cluster == b.cluster;
          if (together && barriers(p_.threads[t], where) != barriers(p_.threads[u], where))
            refuse(p_, p_.threads[t].name + " and " + p_.threads[u].name + " meet at different numbers of barriers");
        }
  }
  int barriers(litmus::thread const& t, level where) const {
    int count = 0;
    bool exits = false;
    for (auto const& i : t.instructions) {
      exits |= i.operation == operation::exit;
      if (i.operation != operation::sync || i.level != where) continue;
      if (i.guard || exits)
        refuse(p_,
               "line " + std::to_string(i.line) + ": a barrier depends on a value; other instances would wait for it");
      ++count;
    }
    return count;
  }
  std::string meeting(level where) const {
    switch (where) {
    case level::warp: return "meet_in_warp(all);";
    case level::block: return "meet_in_block(all);";
    case level::cluster: return "meet_in_cluster();";
    case level::grid: break;
    }
    refuse(p_, "the runner does not run barriers of the grid yet");
  }

  /// Whether all of the time that a machine needs may not suffice for an await, a wait or a primitive.
  ///
  /// The axioms of PTX judge executions that have ended. What they promise to an await comes from causality and
  /// coherence, and a write takes part in these only if it and the load are morally strong: both are strong, and the
  /// scope of each includes the thread of the other. Otherwise the two race. Then each load may return the initial
  /// value, and so may the next one: an await of any number of loads is an execution that PTX allows. A machine that
  /// reads its L1 cache indefinitely does that. C++ says the same: a value becomes visible "in a finite period of time"
  /// ([intro.progress]) to atomic operations, and between threads that a scope leaves out the operations are none.
  ///
  /// For all other awaits a machine must make progress, and an await that gives up is an error.
  bool may_not_end() const {
    for (std::size_t t = 0; t < p_.threads.size(); ++t)
      for (auto const& i : p_.threads[t].instructions) {
        if (i.operation == operation::call && blocks(i.member) && !primitives_are_shared_with_all(i.object))
          return true;
        if (!i.until && i.operation != operation::wait) continue;
        for (std::size_t u = 0; u < p_.threads.size(); ++u)
          for (auto const& j : p_.threads[u].instructions)
            if (u != t && is_write(j.operation) && whole_of(p_, i.location) == whole_of(p_, j.location) &&
                !morally_strong(t, i, u, j))
              return true;
      }
    return false;
  }
  bool morally_strong(std::size_t t, instruction const& i, std::size_t u, instruction const& j) const {
    auto const &a = where_.threads[t], &b = where_.threads[u];
    return i.order != order::weak && j.order != order::weak && includes(resolved(i.scope), a, b) &&
           includes(resolved(j.scope), b, a);
  }
  bool primitives_are_shared_with_all(int object) const {
    for (auto const& a : where_.threads)
      for (auto const& b : where_.threads)
        if (!includes(primitives_[std::size_t(object)].scope, a, b)) return false;
    return true;
  }

  template <class way>
  std::string in_form(litmus::thread const& t, instruction const& i) const {
    switch (i.operation) {
    case operation::load: return way::load(access_of(t, i));
    case operation::store: return way::store(access_of(t, i));
    case operation::exchange: return way::exchange(access_of(t, i));
    case operation::fetch_add: return way::fetch_add(access_of(t, i));
    case operation::store_add: return way::store_add(access_of(t, i));
    case operation::compare_exchange: return way::compare_exchange(access_of(t, i));
    case operation::fence: return way::fence(i.order, resolved(i.scope));
    case operation::assign: {
      unsigned const size = size_of(t, *i.result);
      return reg(t, *i.result) + " = " + text_of(t, i.values[0], size) + ";";
    }
    case operation::exit: return "break;";
    case operation::wait: return way::wait(access_of(t, i));
    case operation::notify: return way::notify(access_of(t, i));
    case operation::sync: return meeting(i.level);
    case operation::call: break; // has no form
    }
    refuse(p_, "line " + std::to_string(i.line) + ": the runner does not run this operation yet");
  }

  std::string called(litmus::thread const& t, instruction const& i) const {
    auto const& p = primitives_[std::size_t(i.object)];
    std::size_t number = 0, last_arrival = 0;
    for (std::size_t k = 0; k < t.instructions.size(); ++k) {
      if (&t.instructions[k] == &i) number = k;
      if (&t.instructions[k] < &i && t.instructions[k].member == member::arrive && t.instructions[k].object == i.object)
        last_arrival = k;
    }
    std::vector<std::string> values;
    for (auto const& v : i.values) values.push_back(text_of(t, v, 4));
    if (i.member == member::arrive && i.guard)
      refuse(p_, "line " + std::to_string(i.line) + ": a guarded arrival has no token that a wait could use");
    std::string const result = i.result ? reg(t, *i.result) : "";
    return guarded(t, i,
                   may_not_end_ && blocks(i.member) ? bounded_call(p, i.member, number, last_arrival)
                                                    : call(p, i.member, result, i.order, values, number, last_arrival));
  }

  std::string statement(litmus::thread const& t, instruction const& i) const {
    if (i.operation == operation::call) return called(t, i);
    bool const host = where_.threads[std::size_t(&t - p_.threads.data())].host;
    std::string text = host                     ? in_form<host_form>(t, i)
                       : form_ == form::library ? in_form<library_form>(t, i)
                                                : in_form<ptx_form>(t, i);
    if (i.until) {
      if (!i.result) refuse(p_, "line " + std::to_string(i.line) + ": await needs a register");
      text = "do { " + text + " } while (!(" + reg(t, *i.result) + sign(i.until->compare) +
             text_of(t, i.until->right, size_of(t, *i.result)) + ") && awaits.polls_again());";
    }
    return guarded(t, i, text);
  }

  std::string guarded(litmus::thread const& t, instruction const& i, std::string const& text) const {
    if (!i.guard) return text;
    std::string condition =
        reg(t, i.guard->reg) + sign(i.guard->test.compare) + text_of(t, i.guard->test.right, size_of(t, i.guard->reg));
    if (i.operation == operation::exit) condition = "!(" + condition + ")";
    // LLVM would otherwise execute a plain load first and select later.
    return "if (" + condition + ") { asm volatile(\"\" ::: \"memory\"); " + text + " }";
  }

  /// Bytes of a cell, if there are cells in shared memory.
  unsigned stride() const { return primitives_.empty() ? 16 : bytes_of_primitive; }

  std::string run(int number) const {
    auto const& t = p_.threads[std::size_t(number)];
    std::string text = "    case " + std::to_string(number) + ": {\n";
    for (std::size_t r = 0; r < t.registers.size(); ++r)
      text += "      " + type_of(size_of(t, int(r))) + " " + reg(t, int(r)) + " = 0;\n";
    text += "      do {\n";
    for (auto const& i : t.instructions) text += "        " + statement(t, i) + "\n";
    text += "      } while (false);\n";
    for (std::size_t r = 0; r < t.registers.size(); ++r) text += "      (void)" + reg(t, int(r)) + ";\n";
    for (auto const& i : o_.items)
      if (i.thread == number) text += "      " + note(reg(t, i.reg), size_of(t, i.reg), i) + "\n";
    return text + "      break;\n    }\n";
  }

  program const& p_;
  placement const& where_;
  outcome const& o_;
  form form_;
  std::vector<primitive> primitives_;
  unsigned shared_ = 0;      ///< a bit for each cell in shared memory
  unsigned on_host_ = 0;     ///< a bit for each thread
  bool met_by_host_ = false; ///< a test of host_kernel.hpp
  needs_of_host needs_;
  bool one_block_ = false;
  bool may_not_end_ = false;
  std::vector<int> cell_; ///< of each location; -1 for a part
  unsigned cells_ = 0;
};

} // namespace

std::string type_of(unsigned size) {
  switch (size) {
  case 1: return "u8";
  case 2: return "u16";
  case 4: return "u32";
  case 8: return "u64";
  case 16: return "u128";
  }
  throw not_runnable("a location of " + std::to_string(size) + " bytes; use 1, 2, 4, 8 or 16");
}

kernel_text write_kernel(program const& p, placement const& where, outcome const& o, form f) {
  return writer(p, where, o, f).write();
}

} // namespace litmus_runner
