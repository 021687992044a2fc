// SPDX-License-Identifier: Apache-2.0
//
// stale: strong reads that may miss what their flag promised. No race: both accesses of the data are strong. The
// program is wrong all the same where it takes the flag for the data's, and the model lets the read return what was
// there before.
//
// A promise is a flag that a thread has seen without acquiring what its writer did before, together with a sign that
// the program meant to:
//   release_fence  the writer wrote the flag right after a release fence, whose scope does not include the reader
//   acquire_fence  the reader fenced right after reading the flag, with a scope that does not include the writer
//   polled         the reader read the flag again and again by one instruction, until it changed
// It is broken by a strong read of other memory, by a thread that knows of the promise, of which the newest value was
// written before the flag, or the fence, by a thread of which the flag's writer knew, while the model allows an older
// value. Without a fence, a read-modify-write is a counter and no data, a store that releases is a flag or the end of a
// lock, and a read that is repeated or followed by an acquire fence is a poll.
#include "../../machine/mode.hpp"
#include "model_state.hpp"

#include <algorithm>

namespace emulator::check {

namespace {

constexpr std::size_t most_promises = 16;

u64 first_bytes(bytes_16 const& value, u32 size) {
  u64 result = 0;
  std::memcpy(&result, value.data(), std::min<std::size_t>(size, sizeof result));
  return result;
}

} // namespace

void model::state::note_promise(agent& who, promise p) {
  if (!process_mode.finds_stale) return;
  p.reader = who.number;
  p.epoch = who.epoch;
  block_agent& b = *who.block;
  // Each poll of a flag reads its fence's token again.
  if (p.given)
    for (promise const& each : b.promises)
      if (each.given && each.given->version == p.given->version && each.flag == p.flag && each.reader == p.reader)
        return;
  if (b.promises.empty()) b.only_flag = p.flag;
  else if (b.only_flag != p.flag) b.only_flag = nullptr;
  if (b.promises.size() < most_promises) return void(b.promises.push_back(std::move(p)));
  b.promises[b.next_promise] = std::move(p);
  b.next_promise = (b.next_promise + 1) % most_promises;
}

void model::state::note_poll(agent& who, access const& a, u32 code, message const& m) {
  if (m.who == who.number || !is_strong_pair(who, a, m)) return;
  if (acquires(a.semantics) && !m.tokens.all.empty()) return; // it took what there was
  note_promise(who, {.why = promise::reason::polled,
                     .flag = a.where,
                     .by = m.who,
                     .written = m.code,
                     .read = code,
                     .serial = m.serial});
}

bool model::state::is_promised(promise const& p, message const& m) const {
  if (p.why == promise::reason::polled)
    return !m.is_update && !releases(m.semantics) && m.serial < p.serial &&
           (m.who == p.by || agents.knows(agents[p.by], m.who, m.epoch));
  if (m.who == p.given->from) return m.epoch <= p.given->from_epoch;
  knowledge k;
  p.given->give(k);
  return k.all.of(agents[m.who].block->number, agents[m.who].index) >= m.epoch;
}

void model::state::suspect(agent& who, access const& a, u32 code, location const& l, std::size_t oldest) {
  message const& newest = l.messages.back();
  if (newest.serial == 0 || newest.who == who.number || !is_strong_pair(who, a, newest)) return;
  if (l.messages[oldest].value == newest.value) return;
  // A fence says more than that the flag was polled for.
  promise const* broken = nullptr;
  for (promise const& p : who.block->promises) {
    bool const polled = p.why == promise::reason::polled;
    if (p.flag == a.where || (polled && broken) || !agents.knows(who, p.reader, p.epoch) || !is_promised(p, newest))
      continue;
    broken = &p;
    if (!polled) break;
  }
  if (!broken || reported.contains({"stale", std::min(newest.code, code), std::max(newest.code, code)})) return;
  suspicion s{.where = a.where,
              .size = l.size,
              .code = code,
              .writer = newest.who,
              .written = newest.code,
              .newest = first_bytes(newest.value, l.size),
              .older = first_bytes(l.messages[oldest].value, l.size),
              .of = *broken};
  if (broken->why != promise::reason::polled) return report_stale(who, s);
  who.suspected = std::make_unique<suspicion>(std::move(s));
}

void model::state::settle_suspicion(agent& who, bool drop) {
  auto const suspected = std::move(who.suspected);
  if (!drop) report_stale(who, *suspected);
}

void model::state::report_stale(agent const& who, suspicion const& s) {
  promise const& p = s.of;
  agent const &writer = agents[s.writer], &by = agents[p.by], &reader = agents[p.reader];
  std::uintptr_t const start = number(s.where);
  char values[96];
  std::snprintf(values, sizeof values, " may give %#llx, older than %#llx", static_cast<unsigned long long>(s.older),
                static_cast<unsigned long long>(s.newest));
  std::string text = "stale: a strong read of " + place_of(start, s.size, regions.holding(start)) + values;
  text += ", which was written before the flag that the reader saw\n  data:    write, " + described(writer, s.written) +
          "\n  flag:    write, " + described(by, p.written) + "\n           read, " + described(reader, p.read) +
          "\n  second:  read, " + described(who, s.code) + "\n  why:     ";
  switch (p.why) {
  case promise::reason::release_fence:
    text += std::string("the fence between the data and the flag has scope .") + name_of(p.scope) +
            ", which does not include the reader: " + where(p.fence) + "; use a wider scope";
    break;
  case promise::reason::acquire_fence:
    text += std::string("the fence after the read of the flag has scope .") + name_of(p.scope) +
            ", which does not include the writer: " + where(p.fence) + "; use a wider scope";
    break;
  case promise::reason::polled:
    text +=
        "the flag was polled for, and between the two there is no release by the writer, or no acquire by the reader; "
        "release and acquire the flag, or put a fence before its write and one after its read";
    break;
  }
  report_finding("stale", std::move(text), {{&writer, s.written}, {&by, p.written}, {&reader, p.read}, {&who, s.code}});
}

} // namespace emulator::check
