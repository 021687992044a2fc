// SPDX-License-Identifier: Apache-2.0
//
// convergence: see the header. From each barrier or collective the search goes up, statement by statement, until the
// lanes cannot meet any earlier.
#include "convergence.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace emulator {
namespace {

// ptxas turns a branch around at most so many instructions into predicates; those of one side, where there are two.
constexpr std::size_t most_of_if = 7, most_of_if_else = 6;

bool has(ptx::instruction const& i, std::string_view modifier) {
  return std::ranges::find(i.modifiers, modifier) != i.modifiers.end();
}

bool has_type(ptx::instruction const& i, std::initializer_list<std::string_view> types) {
  return std::ranges::any_of(types, [&](auto type) { return has(i, type); });
}

/// An integer division, and what takes one instruction, but not what ptxas makes a branch and a call of.
bool is_short_division(ptx::instruction const& i) {
  if (has_type(i, {"u64", "s64", "f64"})) return false;
  return !has_type(i, {"f32"}) || has_type(i, {"approx", "full"});
}

bool reads_clock(ptx::instruction const& i) {
  return std::ranges::any_of(i.operands, [](ptx::operand const& o) {
    return o.name.starts_with("%clock") || o.name.starts_with("%globaltimer");
  });
}

/// Instructions that compute, without any effect but their result.
bool computes(ptx::instruction const& i) {
  static std::unordered_set<std::string_view> const names{
      "abs",        "add",      "addc",      "and",          "bfe",   "bfi",   "bfind",  "bmsk",   "brev",  "clz",
      "cnot",       "copysign", "cos",       "createpolicy", "cvt",   "cvta",  "dp2a",   "dp4a",   "ex2",   "fma",
      "getctarank", "isspacep", "lg2",       "lop3",         "mad",   "mad24", "madc",   "mapa",   "max",   "min",
      "mov",        "mul",      "mul24",     "neg",          "not",   "or",    "popc",   "prmt",   "sad",   "selp",
      "set",        "setp",     "shf",       "shl",          "shr",   "sin",   "slct",   "sub",    "subc",  "szext",
      "tanh",       "testp",    "vabsdiff2", "vabsdiff4",    "vadd2", "vadd4", "vavrg2", "vavrg4", "vmax2", "vmax4",
      "vmin2",      "vmin4",    "vset2",     "vset4",        "vsub2", "vsub4", "xor"};
  if (i.name == "mov") return !reads_clock(i);
  return names.contains(i.name);
}

bool divides(ptx::instruction const& i) {
  return i.name == "div" || i.name == "rem" || i.name == "rcp" || i.name == "sqrt" || i.name == "rsqrt";
}

bool is_plain_store(ptx::instruction const& i) { return i.name == "st" && !has(i, "async"); }

/// A store that other lanes may wait for.
bool is_visible_store(ptx::instruction const& i) {
  return is_plain_store(i) && !has(i, "local") && !has(i, "param") && !has(i, "param::func");
}

/// What ptxas executes under a predicate instead of a branch.
bool can_be_predicated(ptx::instruction const& i) {
  return computes(i) || is_plain_store(i) || i.name == "ld" || i.name == "ldu";
}

bool is_collective(ptx::instruction const& i) {
  return has(i, "sync") &&
         (i.name == "shfl" || i.name == "vote" || i.name == "match" || i.name == "redux" || i.name == "elect");
}

/// Of a block, at which the lanes meet, whether it is .aligned or not.
bool is_block_barrier(ptx::instruction const& i) {
  return (i.name == "bar" || i.name == "barrier") && !has(i, "warp") && !has(i, "cluster");
}

bool is_aligned(ptx::instruction const& i) { return i.name == "bar" || has(i, "aligned"); }

bool is_branch(ptx::instruction const& i) { return i.name == "bra"; }

bool is_all_lanes(ptx::operand const& mask) {
  return mask.kind == ptx::operand_kind::integer && std::uint32_t(mask.bits) == ~std::uint32_t(0);
}

bool names_register(ptx::operand const& o, std::string_view name) {
  return o.name == name || std::ranges::any_of(o.parts, [&](auto const& part) { return names_register(part, name); });
}

class finder {
public:
  finder(ptx::function const& f, int sm) : body_(f.body), sm_(sm) {
    has_clusters_ = std::ranges::any_of(f.directives, [](auto const& d) { return d.name == "explicitcluster"; });
    find_branches();
  }

  std::vector<convergence> find() const {
    std::vector<convergence> result;
    for (std::size_t i = 0; i < body_.size(); ++i) {
      if (body_[i].kind != ptx::statement_kind::instruction || !converges(body_[i].instruction)) continue;
      if (auto const found = place_of(i); found && !is_covered(result, *found)) result.push_back(*found);
    }
    std::ranges::sort(result, {}, [](convergence const& c) { return std::pair(c.statement, c.cause); });
    return result;
  }

private:
  /// Whether ptxas makes lanes meet before the instruction and may move that up.
  bool converges(ptx::instruction const& i) const {
    if (is_block_barrier(i)) return i.guard.empty() || is_aligned(i);
    if (i.name == "barrier" && has(i, "cluster")) return has_clusters_ && i.guard.empty();
    if (i.name == "tensormap") return has(i, "aligned") && i.guard.empty();
    // Before sm_90, ptxas branches to a copy of the collective if not all lanes have come.
    return is_collective(i) && sm_ >= 90 && i.guard.empty();
  }

  /// Whether lanes may meet before the instruction instead of after it.
  bool passes(ptx::instruction const& i) const {
    if (can_be_predicated(i)) return true;
    if (divides(i)) return is_short_division(i);
    if (i.name == "activemask" || i.name == "prefetch" || i.name == "prefetchu") return true;
    if (i.name == "discard" || i.name == "applypriority") return true;
    if (i.name == "fence") return has(i, "acquire") != has(i, "release") && !has(i, "proxy");
    // cp.async of one thread, and its commit, which may move up over a store itself; but not a wait for it.
    if (i.name == "cp") return has(i, "ca") || has(i, "cg") || (has(i, "commit_group") && !has(i, "bulk"));
    return is_collective(i) && sm_ >= 90;
  }

  static bool is_covered(std::vector<convergence> const& others, convergence const& c) {
    return !c.mask && c.guard.empty() && std::ranges::any_of(others, [&](convergence const& other) {
      return other.statement == c.statement && !other.mask && other.guard.empty();
    });
  }

  // --- the body's branches ---

  void find_branches() {
    using enum ptx::statement_kind;
    struct scope {
      std::size_t parent;
      std::unordered_map<std::string_view, std::size_t> labels;
    };
    std::vector<scope> scopes{{0, {}}};
    std::vector<std::size_t> scope_of(body_.size());
    std::size_t current = 0;
    for (std::size_t i = 0; i < body_.size(); ++i) {
      if (body_[i].kind == open) {
        scopes.push_back({current, {}});
        current = scopes.size() - 1;
      } else if (body_[i].kind == close) current = scopes[current].parent;
      else if (body_[i].kind == label) scopes[current].labels.emplace(body_[i].name, i);
      scope_of[i] = current;
    }
    auto const label_of = [&](std::string_view name, std::size_t from) -> std::optional<std::size_t> {
      for (std::size_t s = scope_of[from];; s = scopes[s].parent) {
        if (auto const found = scopes[s].labels.find(name); found != scopes[s].labels.end()) return found->second;
        if (s == 0) return std::nullopt;
      }
    };
    for (std::size_t i = 0; i < body_.size(); ++i) {
      if (body_[i].kind == branch_targets) {
        for (std::string_view const name : body_[i].targets)
          if (auto const target = label_of(name, i)) in_tables_.insert(*target);
      } else if (body_[i].kind == instruction && is_branch(body_[i].instruction) &&
                 !body_[i].instruction.operands.empty()) {
        if (auto const target = label_of(body_[i].instruction.operands[0].name, i)) {
          branches_to_[*target].push_back(i);
          target_of_[i] = *target;
        }
      }
    }
  }

  /// The only branch to a label; nothing where there are several, or a table of branches has it.
  std::optional<std::size_t> only_branch_to(std::size_t label) const {
    auto const found = branches_to_.find(label);
    if (found == branches_to_.end() || found->second.size() != 1 || in_tables_.contains(label)) return std::nullopt;
    return found->second[0];
  }
  bool is_target(std::size_t label) const { return branches_to_.contains(label) || in_tables_.contains(label); }

  /// Whether the function returns there: ptxas makes an exit of a branch to it.
  bool is_end(std::size_t label) const {
    for (std::size_t i = label; i < body_.size(); ++i)
      if (ptx::instruction const* const what = instruction_at(i)) return what->name == "ret" || what->name == "exit";
    return true;
  }

  ptx::instruction const* instruction_at(std::size_t i) const {
    return body_[i].kind == ptx::statement_kind::instruction ? &body_[i].instruction : nullptr;
  }

  // --- the search ---

  /// What is known on the way up.
  struct search {
    convergence result;
    bool found = false; ///< a store that lanes wait with
    bool writes_needed(ptx::instruction const& i) const {
      if (i.operands.empty()) return false;
      return (result.mask && names_register(i.operands[0], result.mask->name)) ||
             (!result.guard.empty() && names_register(i.operands[0], result.guard));
    }
    bool declares_needed(ptx::variable const& v) const {
      return (result.mask && v.name == result.mask->name) || (!result.guard.empty() && v.name == result.guard);
    }
    void meet_before(std::size_t statement) {
      result.statement = statement;
      found = true;
    }
  };

  /// Whether ptxas may execute the statements between these two under a predicate. `besides`: one that is not looked
  /// at.
  bool is_small(std::size_t before, std::size_t after, std::size_t most, search const& s, bool& stores,
                std::size_t besides = ~std::size_t(0)) const {
    std::size_t count = 0;
    for (std::size_t i = before + 1; i < after; ++i) {
      if (body_[i].kind == ptx::statement_kind::label && is_target(i)) return false;
      ptx::instruction const* const what = instruction_at(i);
      if (!what || i == besides) continue;
      if (++count > most || !can_be_predicated(*what) || s.writes_needed(*what)) return false;
      stores |= is_visible_store(*what);
    }
    return true;
  }

  std::optional<convergence> place_of(std::size_t cause) const {
    search s;
    s.result.cause = cause;
    ptx::instruction const& instruction = body_[cause].instruction;
    s.result.guard = instruction.guard;
    s.result.guard_negated = instruction.guard_negated;
    if (is_collective(instruction) && !instruction.operands.empty() && !is_all_lanes(instruction.operands.back()))
      s.result.mask = &instruction.operands.back();
    for (std::size_t i = cause; i > 0;) {
      std::optional<std::size_t> const next = step(i - 1, s);
      if (!next) break;
      i = *next;
    }
    // ptxas knows that the lanes of activemask's result are together.
    if (s.result.mask && is_of_activemask(cause, s.result.mask->name)) return std::nullopt;
    if (!s.found) return std::nullopt;
    return s.result;
  }

  /// Whether the register's last value before a statement is that of activemask.
  bool is_of_activemask(std::size_t before, std::string_view mask) const {
    for (std::size_t i = before; i-- > 0;) {
      ptx::instruction const* const what = instruction_at(i);
      if (what && !what->operands.empty() && names_register(what->operands[0], mask)) return what->name == "activemask";
    }
    return false;
  }

  /// Goes up over a statement, or over all that ends at it. Returns: the first statement that it has gone over; nothing
  /// where the search ends
  std::optional<std::size_t> step(std::size_t i, search& s) const {
    switch (body_[i].kind) {
    case ptx::statement_kind::label: return is_target(i) ? over_join(i, s) : i;
    case ptx::statement_kind::declaration:
      return s.declares_needed(body_[i].variable) ? std::nullopt : std::optional(i);
    case ptx::statement_kind::instruction: break;
    default: return i;
    }
    ptx::instruction const& what = body_[i].instruction;
    if (is_branch(what)) return into_if(i, s);
    if (!passes(what) || s.writes_needed(what)) return std::nullopt;
    if (is_visible_store(what)) s.meet_before(i);
    return i;
  }

  /// A label at which the two sides of a small `if` meet.
  std::optional<std::size_t> over_join(std::size_t label, search& s) const {
    auto const branch = only_branch_to(label);
    if (!branch || *branch >= label) return std::nullopt;
    ptx::instruction const& first = body_[*branch].instruction;
    bool stores = false;
    std::size_t begin = *branch;
    if (!first.guard.empty()) {
      if (!is_small(*branch, label, most_of_if, s, stores)) return std::nullopt;
    } else if (!is_small(*branch, label, 0, s, stores)) { // otherwise it goes to the next statement
      std::size_t other = *branch + 1;
      while (other < label && body_[other].kind != ptx::statement_kind::label) ++other;
      auto const around = only_branch_to(other);
      if (other == label || !around || *around >= *branch || body_[*around].instruction.guard.empty() ||
          !is_small(*around, *branch, most_of_if_else, s, stores) ||
          !is_small(other, label, most_of_if_else, s, stores))
        return std::nullopt;
      begin = *around;
    }
    if (stores) s.meet_before(begin);
    return begin;
  }

  /// A branch around the cause: ptxas may execute a barrier under a predicate, too.
  std::optional<std::size_t> into_if(std::size_t branch, search& s) const {
    ptx::instruction const& around = body_[branch].instruction;
    ptx::instruction const& cause = body_[s.result.cause].instruction;
    auto const target = target_of_.find(branch);
    bool stores = false;
    if (around.guard.empty() || !s.result.guard.empty() || !is_block_barrier(cause) || !is_aligned(cause) ||
        target == target_of_.end() || target->second < s.result.cause || only_branch_to(target->second) != branch ||
        is_end(target->second) || !is_small(branch, target->second, most_of_if, s, stores, s.result.cause))
      return std::nullopt;
    s.result.guard = around.guard;
    s.result.guard_negated = !around.guard_negated;
    if (s.found) s.meet_before(branch);
    return branch;
  }

  std::vector<ptx::statement> const& body_;
  int sm_;
  bool has_clusters_ = false; ///< otherwise ptxas branches on whether the launch has
  std::unordered_map<std::size_t, std::vector<std::size_t>> branches_to_;
  std::unordered_map<std::size_t, std::size_t> target_of_;
  std::unordered_set<std::size_t> in_tables_;
};

} // namespace

std::vector<convergence> find_convergences(ptx::function const& f, int sm) { return finder(f, sm).find(); }

} // namespace emulator
