// SPDX-License-Identifier: Apache-2.0
//
// findings: writing them, once for each set of places.
#include "findings.hpp"
#include "../machine/grid.hpp"
#include "../machine/mode.hpp"
#include "../machine/program.hpp"
#include "../machine/readable_name.hpp"
#include "../ptx/parse.hpp"
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace emulator::check {
namespace {

std::function<void(finding const&)>& sink() {
  static auto& only = *new std::function<void(finding const&)>;
  return only;
}

std::string three(std::uint32_t const (&v)[3]) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

/// The same for the same defect, whichever threads show it and in which order.
std::string key_of(finding const& f) {
  std::vector<std::string> places;
  for (auto const& p : f.parties)
    places.push_back(p.source.empty() ? p.kernel + ":" + std::to_string(p.ptx_line) : p.source);
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  std::string key = f.kind;
  for (auto const& p : places) key += " | " + p;
  return key;
}

/// Without what JSON and a shell would have to quote.
std::string plain(std::string text) {
  std::erase_if(text, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
  return text;
}

std::FILE* json() {
  static std::FILE* const file = [] {
    char const* const name = std::getenv("CUDAX_EMULATOR_JSON");
    std::FILE* const opened = name && *name ? std::fopen(name, "ae") : nullptr;
    if (name && *name && !opened)
      std::fprintf(stderr, "cudax.sync emulator: CUDAX_EMULATOR_JSON: %s cannot be written\n", name);
    return opened;
  }();
  return file;
}

void append_json(std::string const& line) {
  std::FILE* const file = json();
  if (!file) return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fflush(file);
}

/// The fault that comes next was reported already.
bool is_reported = false;

char const* state_of(thread const& t) {
  switch (t.state) {
  case state::at_warp: return "waits for lanes of its warp";
  case state::at_block: return "waits at a barrier of the block";
  case state::at_cluster: return "waits for its cluster";
  case state::at_pool: return "waits for registers that another warpgroup gives up";
  case state::sleeping: return "sleeps";
  default: return "runs";
  }
}

/// The places where threads are, with how many are there and one of them.
void list_places(finding& f, std::vector<thread*> const& threads) {
  std::map<std::pair<operation const*, state>, std::pair<thread*, std::size_t>> places;
  for (thread* const t : threads) {
    auto const [at, is_new] = places.try_emplace({t->pc, t->state}, t, 0);
    ++at->second.second;
  }
  for (auto const& [place, who] : places) {
    auto const& [t, count] = who;
    f.parties.push_back(party_of(*t, place.first));
    f.text += "  " + std::to_string(count) + (count == 1 ? " thread " : " threads, as ") + text_of(f.parties.back()) +
              ": " + state_of(*t) + "\n";
  }
}

} // namespace

void set_report_sink(std::function<void(finding const&)> s) { sink() = std::move(s); }

void begin_report() { json(); }

void report(finding const& f) {
  if (sink()) return sink()(f);
  static auto& seen = *new std::set<std::string>;
  std::string const key = key_of(f);
  if (!seen.insert(key).second) return;
  append_json("{\"key\":\"" + plain(key) + "\"," + json_of(f, process_mode.seed).substr(1));
  static bool const is_quiet = std::getenv("CUDAX_EMULATOR_QUIET") != nullptr; // tools/emulate prints them itself
  if (is_quiet) return;
  std::string text = "cudax.sync check: " + text_of(f, process_mode.seed);
  std::fputs(text.c_str(), stderr);
}

place place_of(thread const& t, operation const* o) {
  return {t.block->grid->launch.kernel, t.block->ctaid, t.tid, t.frame ? t.frame->function : nullptr, o};
}
place place_of(thread const& t) { return place_of(t, t.pc); }

finding::party party_of(thread const& t, operation const* o) { return party_of(place_of(t, o)); }

finding::party party_of(thread const& t, function const& f, operation const* o) {
  return party_of(place{t.block->grid->launch.kernel, t.block->ctaid, t.tid, &f, o});
}

finding::party party_of(place const& where) {
  finding::party p;
  p.kernel = readable_name(where.kernel->name);
  std::ranges::copy(where.block, p.block);
  std::ranges::copy(where.thread, p.thread);
  if (!where.in) return p;
  function const& f = *where.in;
  std::size_t const index = std::size_t(where.at - f.operations.data());
  if (index >= f.sources.size()) return p;
  ptx::module& module = f.program->module();
  ptx::source_location const at = f.sources[index]->at;
  p.instruction = ptx::print(module, *f.sources[index]);
  p.ptx_line = at.line;
  if (at.source_file > 0 && std::size_t(at.source_file) < module.files.size())
    p.source = std::string(module.files[std::size_t(at.source_file)]) + ":" + std::to_string(at.source_line);
  return p;
}

std::string text_of(finding::party const& p) {
  return "kernel " + p.kernel + ", block " + three(p.block) + ", thread " + three(p.thread) + ", PTX line " +
         std::to_string(p.ptx_line) + (p.source.empty() ? "" : " (" + p.source + ")") + ": " + p.instruction;
}

void fail_pair(char const* kind, thread const& first, operation const* of_first, thread const& second,
               std::string const& what) {
  finding f{kind, {}, {party_of(first, of_first), party_of(second, second.pc)}};
  f.text =
      std::string(kind) + ": " + what + "\n  first:  " + text_of(f.parties[0]) + "\n  second: " + text_of(f.parties[1]);
  report_and_fail(f, second);
}

void report_and_fail(finding const& f, thread const& t) {
  report(f);
  is_reported = true;
  fail(t, 719, f.text);
}

void report_fault(thread const& t, fault const& f) {
  if (std::exchange(is_reported, false)) return;
  constexpr int assertion = 710, illegal_address = 700;
  bool const traps = f.text.ends_with("trap: the kernel ended itself");
  bool const diverges = f.text.find("divergence: ") != std::string::npos;
  finding found{f.error == illegal_address ? "out of bounds"
                : f.error == assertion     ? "assertion"
                : traps                    ? "trap"
                : diverges                 ? "divergence"
                                           : "misuse",
                {},
                {party_of(t, t.pc)}};
  found.text = found.kind + ": " + f.text;
  report(found);
}

fault report_deadlock(std::vector<block*> const& blocks) {
  std::vector<thread*> threads;
  for (block* const b : blocks)
    for (thread& t : b->threads)
      if (t.state != state::finished) threads.push_back(&t);
  finding f{"deadlock", "deadlock: every thread waits, and nobody is left who could let one go on:\n", {}};
  list_places(f, threads);
  report(f);
  return {702, "a deadlock:\n" + f.text};
}

fault report_livelock(std::vector<thread*> const& threads,
                      std::vector<std::pair<finding::party, std::string>> const& lacking) {
  finding f{"livelock",
            "livelock: threads run, but for seconds none of them has changed memory, and neither has the host; they "
            "wait in loops "
            "for what never comes:\n",
            {}};
  list_places(f, threads);
  for (auto const& [expected, bytes] : lacking) {
    f.text += "  an mbarrier lacks nothing but " + bytes +
              " bytes, which no copy brings; expect as many as the copies complete: " + text_of(expected) + "\n";
    f.parties.push_back(expected);
  }
  report(f);
  return {702, "a livelock:\n" + f.text};
}

} // namespace emulator::check
