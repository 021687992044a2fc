// SPDX-License-Identifier: Apache-2.0
#include "explain.hpp"

#include <algorithm>

#include "print.hpp"
#include "words.hpp"

namespace litmus {

namespace {

/// An event is called by a letter: a, b, ..., z, a1, b1, ...
std::string letter(execution const& e, int i) {
  int const number = i - std::popcount(e.initial);
  return std::string(1, char('a' + number % 26)) + (number < 26 ? "" : std::to_string(number / 26));
}

std::string name_of(execution const& e, int i) {
  auto const& one = e.events[std::size_t(i)];
  if (one.kind != event_kind::initial) return letter(e, i);
  return "the initial value of " + e.program->locations[std::size_t(one.where.root)].name;
}

std::string values(layout const& l, extent const& where, std::vector<value> const& cells) {
  return print(l.join(where, cells));
}

/// What an event is, in the words of the program.
std::string describe(execution const& e, layout const& l, int i) {
  auto const& one = e.events[std::size_t(i)];
  auto const& t = e.program->threads[std::size_t(one.thread)];
  auto const& instruction = t.instructions[std::size_t(one.instruction)];
  std::string text = print(*e.program, t, instruction);
  switch (one.kind) {
  case event_kind::arrive: return text + ": arrives";
  case event_kind::meet: return text + ": goes on";
  case event_kind::fence: return instruction.operation == operation::fence ? text : "fence.sc of " + text;
  case event_kind::call: {
    if (instruction.member == member::arrive_and_wait) text += one.member == member::wait ? ": waits" : ": arrives";
    return text + (instruction.result ? ": returns " + print(one.result) : "");
  }
  default: break;
  }
  if (one.reads) text += ": reads " + values(l, one.where, one.read);
  if (one.writes) text += std::string(one.reads ? "," : ":") + " writes " + values(l, one.where, one.written);
  return text;
}

/// The pairs of a relation that no chain of other pairs implies.
relation reduced(relation const& r) {
  relation result = r;
  for (int a = 0; a < r.size(); ++a)
    for_each(r.after(a), [&](int b) {
      for_each(r.after(a), [&](int c) {
        if (c != b && r(c, b)) result.remove(a, b);
      });
    });
  return result;
}

std::string coherence(execution const& e, int root) {
  std::string text;
  event_set const writes = e.accesses_of(root) & e.writes;
  if (std::popcount(writes) < 3) return text; // the initial value, then one write
  relation const direct = reduced(e.co.restricted(writes, writes));
  for (int a = 0; a < e.size(); ++a)
    for_each(direct.after(a), [&](int b) {
      if (!contains(e.initial, a)) text += (text.empty() ? "" : ", ") + letter(e, a) + " before " + letter(e, b);
    });
  return text.empty() ? "no order" : text;
}

std::string witness_text(execution const& e) {
  layout const l(*e.program);
  std::string text;
  for (int i = std::popcount(e.initial); i < e.size(); ++i)
    text += "    " + letter(e, i) + "  " + e.program->threads[std::size_t(e.events[std::size_t(i)].thread)].name +
            "  " + describe(e, l, i) + "\n";
  for_each(e.reads, [&](int r) {
    auto sources = e.sources[std::size_t(r)];
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    for (int const w : sources) text += "    " + letter(e, r) + " reads from " + name_of(e, w) + "\n";
  });
  for (int a = 0; a < e.size(); ++a)
    for_each(e.synchronizes.after(a) & ~e.sc.after(a),
             [&](int b) { text += "    " + letter(e, a) + " synchronizes with " + letter(e, b) + "\n"; });
  for (int a = 0; a < e.size(); ++a)
    for_each(reduced(e.sc).after(a),
             [&](int b) { text += "    " + letter(e, a) + " precedes " + letter(e, b) + " in Fence-SC order\n"; });
  for (int root = 0; root < l.roots(); ++root)
    if (std::string const order = coherence(e, root); !order.empty())
      text += "    order of " + e.program->locations[std::size_t(root)].name + ": " + order + "\n";
  return text;
}

} // namespace

std::string_view name(verdict v) {
  return v == verdict::allowed ? "allowed" : v == verdict::forbidden ? "forbidden" : "undefined";
}

std::string explain(program const& p, placement const& where, std::string_view model, answer const& a) {
  std::string text = p.name + " " + where.name + " " + std::string(model) + ": " + std::string(name(a.verdict)) + "\n";
  if (!a.reason.empty()) return text + "  " + a.reason + ".\n";
  if (a.verdict == verdict::forbidden) {
    text += "  No execution ends with " + print(p, p.exists) + ".";
    std::string counts;
    for (auto const& [axiom, count] : a.rejected)
      counts += (counts.empty() ? " Rejected by " : ", by ") + axiom + ": " + std::to_string(count);
    text += counts.empty() ? " No reads and writes make these values." : counts + ".";
    return text + "\n";
  }
  if (a.race)
    text += "  A data race, in this execution: " + letter(*a.witness, a.race->first) + " and " +
            letter(*a.witness, a.race->second) + "\n";
  else text += "  This execution ends with " + print(p, p.exists) + ":\n";
  return text + witness_text(*a.witness);
}

std::string dot(program const& p, placement const& where, std::string_view model, answer const& a) {
  if (!a.witness) return "";
  execution const& e = *a.witness;
  layout const l(p);
  std::string text = "digraph " + quoted(p.name + " " + where.name + " " + std::string(model)) +
                     " {\n  node [shape=box, fontname=monospace];\n";
  auto const node = [](int i) { return "e" + std::to_string(i); };
  for (std::size_t t = 0; t < p.threads.size(); ++t) {
    text += "  subgraph cluster_" + p.threads[t].name + " {\n    label=" + p.threads[t].name + ";\n";
    std::string chain;
    for (int i = 0; i < e.size(); ++i) {
      if (e.events[std::size_t(i)].thread != int(t)) continue;
      text += "    " + node(i) + " [label=" + quoted(letter(e, i) + ": " + describe(e, l, i)) + "];\n";
      chain += (chain.empty() ? "" : " -> ") + node(i);
    }
    if (chain.find('>') != std::string::npos) text += "    " + chain + " [label=po];\n";
    text += "  }\n";
  }
  for_each(e.initial, [&](int i) {
    text += "  " + node(i) +
            " [label=" + quoted(p.locations[std::size_t(e.events[std::size_t(i)].where.root)].name + " initially") +
            "];\n";
  });
  auto const edges = [&](relation const& r, std::string_view label, std::string_view colour) {
    for (int x = 0; x < e.size(); ++x)
      for_each(r.after(x), [&](int y) {
        text += "  " + node(x) + " -> " + node(y) + " [label=" + std::string(label) + ", color=" + std::string(colour) +
                ", fontcolor=" + std::string(colour) + ", constraint=false];\n";
      });
  };
  relation synchronizes = e.synchronizes;
  for (int x = 0; x < e.size(); ++x) for_each(e.sc.after(x), [&](int y) { synchronizes.remove(x, y); });
  edges(e.rf, "rf", "red");
  edges(reduced(e.co), "co", "brown");
  edges(e.from_reads(), "fr", "orange");
  edges(synchronizes, "sync", "blue");
  edges(reduced(e.sc), "sc", "purple");
  if (a.race)
    text += "  " + node(a.race->first) + " -> " + node(a.race->second) +
            " [label=race, dir=both, style=dashed, constraint=false];\n";
  return text + "}\n";
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string json(program const& p, placement const& where, std::string_view model, answer const& a) {
  auto const field = [](std::string_view key, std::string const& v) { return quoted(key) + ": " + v; };
  std::string rejected, states;
  for (auto const& [axiom, count] : a.rejected)
    rejected += (rejected.empty() ? "" : ", ") + field(axiom, std::to_string(count));
  for (auto const& s : a.states) states += (states.empty() ? "" : ", ") + quoted(s);
  std::string text =
      "{" + field("program", quoted(p.name)) + ", " + field("file", quoted(p.file)) + ", " +
      field("placement", quoted(where.name)) + ", " + field("scope", quoted(words::name(words::scopes, where.scope))) +
      ", " + field("under", where.under ? "true" : "false") + ", " + field("model", quoted(model)) + ", " +
      field("verdict", quoted(name(a.verdict))) + ", " + field("exists", quoted(print(p, p.exists))) + ", " +
      field("consistent", std::to_string(a.consistent)) + ", " + field("rejected", "{" + rejected + "}");
  if (!a.reason.empty()) text += ", " + field("reason", quoted(a.reason));
  // The states of an undefined program are not searched to the end.
  if (a.verdict != verdict::undefined)
    text += ", " + field("states", "[" + states + "]") + ", " + field("all_states", a.more_states ? "false" : "true");
  if (a.witness) {
    std::string lines = witness_text(*a.witness), list;
    for (std::size_t at = 0; at < lines.size();) {
      auto const end = lines.find('\n', at);
      list += (list.empty() ? "" : ", ") + quoted(std::string_view(lines).substr(at + 4, end - at - 4));
      at = end + 1;
    }
    text += ", " + field("witness", "[" + list + "]");
  }
  return text + "}";
}

} // namespace litmus
