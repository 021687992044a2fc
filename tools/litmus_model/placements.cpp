// SPDX-License-Identifier: Apache-2.0
//
// A tree names the levels of the machine: host, device, cluster, block, warp. A thread or a level that stands directly
// in a wider level has the levels between them for itself: in device(P0 block(P1 P2)) P0 has a cluster and a block of
// its own, and P1 and P2 are two warps.
#include "placements.hpp"

#include <algorithm>

#include "words.hpp"

namespace litmus {

namespace {

enum depth { in_system, in_device, in_cluster, in_block, in_warp };

class tree_parser {
  lexer& in_;
  program const& program_;
  placement& result_;
  std::vector<bool> placed_;
  int devices_ = 0, clusters_ = 0, blocks_ = 0, warps_ = 0;

  /// Enters the levels from `from` (exclusive) to `to` (inclusive) anew.
  where enter(where at, depth from, depth to) {
    if (from < in_device && to >= in_device) at.device = devices_++;
    if (from < in_cluster && to >= in_cluster) at.cluster = clusters_++;
    if (from < in_block && to >= in_block) at.block = blocks_++;
    if (from < in_warp && to >= in_warp) at.warp = warps_++;
    return at;
  }

  void thread(std::string const& name, where at, depth from, bool host) {
    auto const& all = program_.threads;
    auto const found = std::find_if(all.begin(), all.end(), [&](auto const& t) { return t.name == name; });
    if (found == all.end())
      in_.fail("the placement names " + name + ", which is no thread", "use the names of the columns");
    auto const index = std::size_t(found - all.begin());
    if (placed_[index]) in_.fail("the placement names " + name + " twice", "name each thread once");
    placed_[index] = true;
    if (!host) at = enter(at, from, in_warp);
    at.host = host;
    result_.threads[index] = at;
    result_.tree += name;
  }

  void node(where at, depth from, bool host) {
    std::string const word = in_.word("a thread or a level");
    if (in_.peek().text != "(") return thread(word, at, from, host);
    static constexpr words::table<depth, 5> levels{{{"system", in_system},
                                                    {"device", in_device},
                                                    {"cluster", in_cluster},
                                                    {"block", in_block},
                                                    {"warp", in_warp}}};
    auto const level = word == "host" ? std::optional(in_system) : words::find(levels, word);
    if (!level) in_.fail("'" + word + "' is no level", "use host, system, device, cluster, block or warp");
    if (host || (*level <= from && !(from == in_system && *level == in_system)) ||
        (word == "host" && from != in_system))
      in_.fail("'" + word + "' stands in a level that it cannot be in",
               "order the levels host or system, device, cluster, block, warp");
    in_.next();
    result_.tree += word + "(";
    at = enter(at, from, *level);
    for (bool first = true; !in_.accept(")"); first = false) {
      if (!first) result_.tree += " ";
      node(at, *level, word == "host");
    }
    result_.tree += ")";
  }

public:
  tree_parser(lexer& in, program const& p, placement& result) : in_(in), program_(p), result_(result) {
    placed_.resize(p.threads.size());
  }

  void parse() {
    while (in_.peek().kind == token::kind::word) {
      if (!result_.tree.empty()) result_.tree += " ";
      node({}, in_system, false);
    }
    for (std::size_t i = 0; i < placed_.size(); ++i)
      if (!placed_[i])
        in_.fail("placement " + result_.name + " leaves out " + program_.threads[i].name, "place each thread");
  }
};

std::string group(std::string const& level, program const& p, std::size_t from, std::size_t to) {
  std::string text = level + "(";
  for (std::size_t i = from; i < to; ++i) text += (i == from ? "" : " ") + p.threads[i].name;
  return text + ")";
}

/// The tree of a word; empty if there is no such word.
std::string preset(std::string const& word, program const& p) {
  std::size_t const n = p.threads.size();
  if (word == "same_warp") return group("warp", p, 0, n);
  if (word == "same_block") return group("block", p, 0, n);
  if (word == "same_cluster") return group("cluster", p, 0, n);
  if (word == "same_device") return group("device", p, 0, n);
  if (n < 2) return "";
  if (word == "two_devices") return group("device", p, 0, 1) + group("device", p, 1, n);
  if (word == "host_first") return group("host", p, 0, 1) + group("device", p, 1, n);
  if (word == "host_last") return group("device", p, 0, n - 1) + group("host", p, n - 1, n);
  return "";
}

/// Each thread must be able to access its locations.
void check_memory(lexer const& in, program const& p, placement const& where) {
  for (std::size_t l = 0; l < p.locations.size(); ++l) {
    auto const kind = memory_of(p, where, int(l));
    std::optional<std::size_t> first;
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      auto const& all = p.threads[t].instructions;
      if (std::none_of(all.begin(), all.end(), [&](auto const& i) { return i.location == int(l); })) continue;
      auto const problem = [&](std::string const& why, std::string const& advice) {
        in.fail("placement " + where.name + ": " + p.threads[t].name + " cannot access " + p.locations[l].name + ": " +
                    why,
                advice);
      };
      if (where.threads[t].host && kind != memory_kind::mapped && kind != memory_kind::managed)
        problem("the thread is on the host, and the location in " +
                    std::string(words::name(words::memory_kinds, kind)) + " memory",
                "use mapped or managed memory, or another placement");
      if (!first) first = t;
      else if (kind == memory_kind::shared && where.threads[t].cluster != where.threads[*first].cluster)
        problem("the location is in shared memory of the cluster of " + p.threads[*first].name,
                "use global memory, or place both in one cluster");
    }
  }
}

void check_sync(lexer const& in, program const& p, placement const& where) {
  for (std::size_t t = 0; t < p.threads.size(); ++t)
    for (auto const& i : p.threads[t].instructions)
      if (i.operation == operation::sync && where.threads[t].host)
        in.fail("placement " + where.name + ": " + p.threads[t].name + " is on the host, and executes sync",
                "place it on a device");
}

placement parse_placement(lexer& in, program const& p) {
  placement result;
  result.threads.resize(p.threads.size());
  std::string const word = in.word("the name of a placement");
  result.name = word;
  std::string tree = preset(word, p);
  if (in.accept("=")) {
    if (!tree.empty())
      in.fail("'" + word + "' names a placement that has a meaning of its own", "use another name for the tree");
    tree_parser(in, p, result).parse();
  } else {
    if (tree.empty())
      in.fail("'" + word + "' is no placement of " + std::to_string(p.threads.size()) + " threads",
              "use same_warp, same_block, same_cluster, same_device, two_devices, host_first or host_last, or write "
              "NAME = TREE");
    lexer inner(tree, in.file(), in.peek().line);
    tree_parser(inner, p, result).parse();
    result.tree.clear();
  }
  result.scope = narrowest_scope(result.threads);
  if (in.accept("@")) {
    std::string const name = in.word("a scope");
    auto const given = words::find(words::scopes, name);
    if (!given || *given == scope::narrowest)
      in.fail("'" + name + "' is no scope", "use block, cluster, device or system");
    result.under = *given < result.scope;
    result.scope = *given;
    result.name += "@" + name;
  }
  bool const host = std::any_of(result.threads.begin(), result.threads.end(), [](auto const& t) { return t.host; });
  result.memory = host ? memory_kind::mapped : memory_kind::global;
  if (in.accept(":")) {
    std::string const name = in.word("a kind of memory");
    auto const kind = words::find(words::memory_kinds, name);
    if (!kind) in.fail("'" + name + "' is no kind of memory", "use " + words::list(words::memory_kinds));
    result.memory = *kind;
    result.name += ":" + name;
  }
  check_memory(in, p, result);
  check_sync(in, p, result);
  return result;
}

} // namespace

void parse_placements(lexer& in, program& p) {
  do {
    placement one = parse_placement(in, p);
    for (auto const& other : p.placements)
      if (other.name == one.name) in.fail("placement " + one.name + " is listed twice", "remove one of them");
    p.placements.push_back(std::move(one));
  } while (in.accept(","));
  in.expect(";", "the placements");
}

} // namespace litmus
