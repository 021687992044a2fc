// SPDX-License-Identifier: Apache-2.0
//
// findings: writing them, once for each set of places.
#include "findings.hpp"
#include "../../machine/grid.hpp"
#include "../../machine/mode.hpp"
#include "../../machine/program.hpp"
#include "../../machine/readable_name.hpp"
#include "../../ptx/parse.hpp"
#include "../../ptx/source_lines.hpp"
#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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
  p.source = ptx::source_of(module, at);
  p.callers = ptx::callers_of(module, at);
  return p;
}

std::string text_of(finding::party const& p) {
  return "kernel " + p.kernel + ", block " + three(p.block) + ", thread " + three(p.thread) + ", PTX line " +
         std::to_string(p.ptx_line) +
         (p.source.empty() ? "" : " (" + p.source + ptx::text_of_callers(p.callers) + ")") + ": " + p.instruction;
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

namespace {

/// A finding of threads that wait: the places of their groups are its parties.
finding hang_of(char const* kind, std::string title, std::vector<block*> const& blocks, std::string const& to_begin,
                std::function<poll(thread const&)> const& poll_of) {
  std::vector<thread const*> threads;
  for (block const* const b : blocks)
    for (thread const& t : b->threads)
      if (t.state != state::finished) threads.push_back(&t);
  auto const groups = group_waiters(std::move(threads), poll_of);
  finding f{kind, std::move(title) + lines_of(groups) + to_begin, {}};
  for (waiters const& w : groups) f.parties.push_back(party_of(*w.first, w.at));
  return f;
}

} // namespace

fault report_deadlock(std::vector<block*> const& blocks, std::string const& to_begin) {
  finding const f = hang_of("deadlock", deadlock_title, blocks, to_begin, {});
  report(f);
  return {702, f.text};
}

fault report_livelock(std::vector<block*> const& blocks, std::string const& to_begin,
                      std::function<poll(thread const&)> const& poll_of,
                      std::vector<std::pair<finding::party, std::string>> const& lacking) {
  finding f = hang_of("livelock",
                      "a livelock: threads run, but none of them gets ahead, memory does not change, and the host has "
                      "not changed it for seconds; they wait in loops for what never comes:",
                      blocks, to_begin, poll_of);
  for (auto const& [expected, bytes] : lacking) {
    f.text += "\n  an mbarrier lacks nothing but " + bytes +
              " bytes, which no copy brings; expect as many as the copies complete: " + text_of(expected);
    f.parties.push_back(expected);
  }
  report(f);
  return {702, f.text};
}

} // namespace emulator::check
