// SPDX-License-Identifier: Apache-2.0
//
// search: chooses, one after the other, what each thread does, in which order the calls of primitives happen, from
// which write each read reads, in which order the fences are, and the coherence order of each location. Causality does
// not depend on coherence order, so the orders of two locations are judged separately, and combined at the end.
#include "search.hpp"

#include <algorithm>
#include <tuple>

#include "outcome.hpp"
#include "promises.hpp"

namespace litmus {

namespace {

/// Calls f(order) for each way to order the pairs that agrees with `order`, which is transitive, and has no cycle. Goes
/// on only from orders, also of some of the pairs, for which possible(order) is true.
template <class P, class F>
void for_each_order(std::vector<std::pair<int, int>> const& pairs, std::size_t at, relation const& order,
                    P const& possible, F const& f) {
  while (at < pairs.size() && (order(pairs[at].first, pairs[at].second) || order(pairs[at].second, pairs[at].first)))
    ++at;
  if (at == pairs.size()) return f(order);
  auto const [a, b] = pairs[at];
  for (auto const& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
    relation next = order;
    event_set const after = order.after(to) | only(to);
    for (int i = 0; i < order.size(); ++i)
      if (i == from || order(i, from)) next.add(i, after);
    if (possible(next)) for_each_order(pairs, at + 1, next, possible, f);
  }
}

/// One choice of coherence order for one root.
struct root_order {
  relation co;
  violation rejected = nullptr;
  std::vector<std::vector<value>> finals;
};

using cell_value = std::tuple<int, int, value>; // root, cell, value

class search {
  program const& program_;
  placement const& placement_;
  layout layout_;
  model const& model_;
  std::vector<std::vector<trace>> traces_;
  std::vector<std::vector<cell_value>> written_later_; ///< by thread: what this and later threads can write
  std::vector<trace const*> chosen_;
  answer& answer_;

  static constexpr std::size_t many_pairs = 10; // of the writes of a root: five writes
  static constexpr std::size_t max_states = 1000;

  std::set<std::string>* states_of_probe_ =
      nullptr;                         ///< set while `judge` only tells in which states an execution can end
  std::set<std::string> states_found_; ///< of the executions with the reads that are being looked at

  [[nodiscard]] bool done() const { return answer_.race.has_value(); }

  void reject(execution const& e, violation axiom) {
    if (!states_of_probe_ && holds(program_.exists, e, nullptr) != false) ++answer_.rejected[axiom];
  }

  /// The writes of a root that coherence order relates, but for the initial write, which is first.
  std::vector<root_order> orders_of(execution& e, int root) const {
    std::vector<int> writes;
    for_each(e.accesses_of(root) & e.writes, [&](int w) { writes.push_back(w); });
    relation start(e.size());
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < writes.size(); ++i)
      for (std::size_t j = i + 1; j < writes.size(); ++j) {
        if (!overlap(e.events[std::size_t(writes[i])], e.events[std::size_t(writes[j])])) continue;
        if (contains(e.initial, writes[i])) start.add(writes[i], writes[j]);
        else if (model_.coherence_relates(e, writes[i], writes[j])) pairs.emplace_back(writes[i], writes[j]);
      }
    // With few writes also the orders that contradict causality are tried, so that the answer can name the axiom.
    if (pairs.size() > many_pairs)
      for (auto const& [a, b] : pairs) {
        if (e.before(a, b)) start.add(a, b);
        if (e.before(b, a)) start.add(b, a);
      }
    std::vector<root_order> result;
    for_each_order(
        pairs, 0, start.transitive(), [](relation const&) { return true; },
        [&](relation const& co) {
          e.co = co;
          root_order one{co, model_.coherence(e, root), {}};
          one.finals = final_values_of(e, root);
          result.push_back(std::move(one));
        });
    e.co = relation(e.size());
    return result;
  }

  void accept(execution const& e) {
    ++answer_.consistent;
    if (auto const race = model_.race(e)) {
      answer_.race = race;
      answer_.witness = e;
    }
  }

  /// Combines the coherence orders of the roots from `root` on.
  void combine(execution& e, std::vector<std::vector<root_order>> const& orders, std::size_t root, violation rejected,
               std::vector<root_order const*>& chosen) {
    if (done()) return;
    if (root < orders.size()) {
      for (auto const& one : orders[root]) {
        chosen.push_back(&one);
        combine(e, orders, root + 1, rejected ? rejected : one.rejected, chosen);
        chosen.pop_back();
      }
      return;
    }
    e.co = relation(e.size());
    for (auto const* one : chosen) e.co |= one->co;
    if (!rejected) rejected = model_.whole(e);
    final_values finals;
    if (states_of_probe_) {
      if (!rejected) for_each_final(chosen, finals, [&] { states_of_probe_->insert(print_state(e, finals)); });
      return;
    }
    if (!rejected) accept(e);
    bool counted = false;
    for_each_final(chosen, finals, [&] {
      bool const asked = *holds(program_.exists, e, &finals);
      if (rejected) {
        if (asked && !counted) ++answer_.rejected[rejected];
        counted |= asked;
        return;
      }
      states_found_.insert(print_state(e, finals));
      if (answer_.states.size() < max_states) answer_.states.insert(print_state(e, finals));
      else answer_.more_states |= !answer_.states.contains(print_state(e, finals));
      if (asked && !answer_.witness) answer_.witness = e;
    });
  }

  template <class F>
  void for_each_final(std::vector<root_order const*> const& chosen, final_values& finals, F const& f) {
    if (finals.size() == chosen.size()) return f();
    for (auto const& one : chosen[finals.size()]->finals) {
      finals.push_back(one);
      for_each_final(chosen, finals, f);
      finals.pop_back();
    }
  }

  void judge(execution& e) {
    if (violation const axiom = model_.before_coherence(e)) return reject(e, axiom);
    std::vector<std::vector<root_order>> orders;
    bool const asked = holds(program_.exists, e, nullptr) != false;
    for (int root = 0; root < layout_.roots(); ++root) {
      orders.push_back(orders_of(e, root));
      // What cannot be right and is not asked for need not be counted.
      if (!asked) std::erase_if(orders.back(), [](root_order const& one) { return one.rejected != nullptr; });
      if (orders.back().empty()) return;
    }
    std::vector<root_order const*> chosen;
    combine(e, orders, 0, nullptr, chosen);
    e.co = relation(e.size());
  }

  [[nodiscard]] bool has_parts() const {
    for (int root = 0; root < layout_.roots(); ++root)
      if (layout_.cells(root).size() > 1) return true;
    return false;
  }

  /// The states in which the execution could end if its fences had no order: an order only takes some away.
  std::set<std::string> probe(execution& e) {
    std::set<std::string> states;
    states_of_probe_ = &states;
    judge(e);
    states_of_probe_ = nullptr;
    return states;
  }

  /// Orders the fences in each way, until the executions have ended in each state that is possible. With parts all
  /// orders are tried: another order may have a race.
  void order_fences(execution& e) {
    std::vector<std::pair<int, int>> pairs;
    event_set const fences = e.seq_cst & e.fences;
    if (model_.orders_fences())
      for_each(fences, [&](int a) {
        for_each(fences, [&](int b) {
          if (a < b && model_.strong(e, a, b)) pairs.emplace_back(a, b);
        });
      });
    if (pairs.empty()) return judge(e);
    auto const possible_states = probe(e);
    if (possible_states.empty()) return judge(e); // which counts what rejects it
    states_found_.clear();
    auto const enough = [&] { return done() || (!has_parts() && states_found_.size() == possible_states.size()); };
    auto const set_order = [&](relation const& order) {
      e.sc = relation(e.size());
      for (auto const& [a, b] : pairs) {
        if (order(a, b)) e.sc.add(a, b);
        if (order(b, a)) e.sc.add(b, a);
      }
    };
    for_each_order(
        pairs, 0, e.po.restricted(fences, fences),
        [&](relation const& order) {
          if (enough()) return false;
          set_order(order);
          violation const axiom = model_.before_coherence(e);
          if (axiom) reject(e, axiom);
          return axiom == nullptr;
        },
        [&](relation const& order) {
          if (enough()) return;
          set_order(order);
          judge(e);
        });
    e.sc = relation(e.size());
  }

  /// Chooses the write for each cell of each read, from event `read` and cell `c` on.
  void choose_sources(execution& e, int read, int c) {
    if (done()) return;
    while (read < e.size() && !e.events[std::size_t(read)].reads) ++read;
    if (read == e.size()) return order_fences(e);
    event const& r = e.events[std::size_t(read)];
    if (c == r.where.count) return choose_sources(e, read + 1, 0);
    for_each(e.writes & ~only(read), [&](int w) {
      event const& write = e.events[std::size_t(w)];
      int const cell = r.where.first + c;
      if (!covers(write, r.where.root, cell) || e.po(read, w)) return; // program order precedes: Causality, Coherence
      if (write.written[std::size_t(cell - write.where.first)] != r.read[std::size_t(c)]) return;
      bool const had = e.rf(w, read);
      e.rf.add(w, read);
      e.sources[std::size_t(read)][std::size_t(c)] = w;
      choose_sources(e, read, c + 1);
      if (!had) e.rf.remove(w, read);
    });
  }

  [[nodiscard]] static bool has(std::vector<cell_value> const& sorted, cell_value const& one) {
    return std::binary_search(sorted.begin(), sorted.end(), one);
  }

  static void add_written(trace const& t, std::vector<cell_value>& out) {
    for (auto const& e : t.events)
      for (std::size_t c = 0; c < e.written.size(); ++c)
        out.emplace_back(e.where.root, e.where.first + int(c), e.written[c]);
  }

  /// Whether each value that the chosen traces read is an initial one, or one that a chosen trace writes, or a later
  /// one can write.
  [[nodiscard]] bool can_read() const {
    std::vector<cell_value> available;
    for (int root = 0; root < layout_.roots(); ++root) {
      if (layout_.cells(root).empty()) continue;
      auto const values = layout_.split(layout_.of(root), program_.locations[std::size_t(root)].initial);
      for (std::size_t c = 0; c < values.size(); ++c) available.emplace_back(root, int(c), values[c]);
    }
    for (trace const* t : chosen_) add_written(*t, available);
    std::sort(available.begin(), available.end());
    auto const& later = written_later_[chosen_.size()];
    for (trace const* t : chosen_)
      for (auto const& e : t->events)
        for (std::size_t c = 0; c < e.read.size(); ++c) {
          cell_value const wanted(e.where.root, e.where.first + int(c), e.read[c]);
          if (!has(available, wanted) && !has(later, wanted)) return false;
        }
    return true;
  }

  void choose_traces() {
    if (done() || !can_read()) return;
    if (chosen_.size() < traces_.size()) {
      for (auto const& one : traces_[chosen_.size()]) {
        chosen_.push_back(&one);
        choose_traces();
        chosen_.pop_back();
      }
      return;
    }
    execution e = assemble(program_, placement_, layout_, chosen_);
    add_barriers(e);
    for_each_promise(e, [&] { choose_sources(e, 0, 0); });
  }

public:
  search(program const& p, placement const& where, model const& m, answer& a)
    : program_(p), placement_(where), layout_(p), model_(m), answer_(a) {}

  void run() {
    traces_ = traces_of(program_, placement_, layout_, model_.lowering());
    written_later_.resize(traces_.size() + 1);
    for (std::size_t t = traces_.size(); t-- > 0;) {
      auto& all = written_later_[t] = written_later_[t + 1];
      for (auto const& one : traces_[t]) add_written(one, all);
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    choose_traces();
    if (answer_.witness) answer_.witness->layout = nullptr; // the layout ends with this object
  }
};

} // namespace

answer decide(program const& p, placement const& where, model const& m) {
  answer result;
  if (auto reason = void_promise(p, where)) {
    result.verdict = verdict::undefined;
    result.reason = std::move(*reason);
    return result;
  }
  search(p, where, m, result).run();
  result.verdict = result.race ? verdict::undefined : result.witness ? verdict::allowed : verdict::forbidden;
  return result;
}

} // namespace litmus
