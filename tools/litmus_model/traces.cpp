// SPDX-License-Identifier: Apache-2.0
#include "traces.hpp"

#include <optional>
#include <stdexcept>

namespace litmus {

namespace {

using domain = std::vector<std::vector<std::set<value>>>; // by root and cell

bool holds(comparison c, value a, value b) {
  switch (c) {
  case comparison::equal: return a == b;
  case comparison::not_equal: return a != b;
  case comparison::less: return a < b;
  case comparison::less_equal: return a <= b;
  case comparison::greater: return a > b;
  case comparison::greater_equal: break;
  }
  return a >= b;
}

constexpr std::size_t max_traces = 20'000;

/// The state of a thread between two instructions.
struct state {
  std::size_t next = 0;
  std::vector<value> registers;
  std::vector<event_set> sources; ///< of each register: the reads on which its value depends
  event_set control = 0;          ///< the reads on which it depends that the rest of the column is executed
  event_set guarded = 0;          ///< those on which it depends that this instruction is executed
  std::vector<event> events;
  std::vector<int> rounds = std::vector<int>(4, 0); ///< of each level
};

class walker {
  program const& program_;
  placement const& placement_;
  layout const& layout_;
  lowering lowering_;
  int thread_;
  domain const& values_;
  domain& written_; ///< what the events write, also of columns that do not end because an await fails
  std::vector<trace>& out_;

  [[nodiscard]] thread const& column() const { return program_.threads[std::size_t(thread_)]; }

  static value evaluate(state const& s, operand const& o) {
    return o.reg ? s.registers[std::size_t(*o.reg)] : o.constant;
  }
  static value evaluate(state const& s, expression const& e) {
    value result = evaluate(s, e.first);
    for (auto const& step : e.rest) {
      value const right = evaluate(s, step.right);
      result = step.op == '+' ? result + right : step.op == '-' ? result - right : result ^ right;
    }
    return result;
  }
  static event_set condition(state const& s) { return s.control | s.guarded; }
  static event_set sources(state const& s, operand const& o) { return o.reg ? s.sources[std::size_t(*o.reg)] : 0; }
  static event_set sources(state const& s, expression const& e) {
    event_set result = sources(s, e.first);
    for (auto const& step : e.rest) result |= sources(s, step.right);
    return result;
  }

  event make(instruction const& i, event_kind kind) const {
    event e;
    e.kind = kind;
    e.thread = thread_;
    e.instruction = int(&i - column().instructions.data());
    e.scope = i.scope == scope::narrowest ? placement_.scope : i.scope;
    e.strong = true;
    return e;
  }

  static bool acquires(order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; }
  static bool releases(order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; }

  void push(state& s, event e) {
    if (s.events.size() == max_events) throw std::length_error("a thread has more than 64 events");
    for (std::size_t c = 0; c < e.written.size(); ++c)
      written_[std::size_t(e.where.root)][std::size_t(e.where.first) + c].insert(e.written[c]);
    s.events.push_back(std::move(e));
  }

  /// Gives an access its orders; for seq_cst in PTX also the fence before it.
  void order_access(state& s, instruction const& i, event& e, bool failed) {
    order const o = i.order;
    e.strong = o != order::weak;
    bool const exchanges = i.operation == operation::compare_exchange;
    if (lowering_ == lowering::cpp) {
      order const effective = failed ? i.failure : o;
      e.acquires = e.reads && acquires(effective);
      e.releases = e.writes && releases(effective);
      e.seq_cst = effective == order::seq_cst;
    } else {
      // A compare-exchange has the join of its two orders on both paths (arch/README.md, "Lowering").
      bool const sc = o == order::seq_cst || (exchanges && i.failure == order::seq_cst);
      if (sc) {
        event fence = make(i, event_kind::fence);
        fence.acquires = fence.releases = fence.seq_cst = true;
        push(s, std::move(fence));
      }
      e.acquires = e.reads && (sc || acquires(o) || (exchanges && acquires(i.failure)));
      e.releases = e.writes && !sc && releases(o);
    }
    if (i.operation == operation::store_add) e.returns = e.acquires = false;
  }

  void set(state& s, instruction const& i, value v, event_set from) const {
    if (!i.result) return;
    s.registers[std::size_t(*i.result)] = v;
    s.sources[std::size_t(*i.result)] = from | condition(s);
  }

  /// Calls f(values of the cells) for each combination of values that the cells can have.
  template <class F>
  void for_each_value(extent const& where, std::vector<value>& chosen, F f) const {
    if (int(chosen.size()) == where.count) return f(chosen);
    for (value const v : values_[std::size_t(where.root)][std::size_t(where.first) + chosen.size()]) {
      chosen.push_back(v);
      for_each_value(where, chosen, f);
      chosen.pop_back();
    }
  }

  /// The value that a read-modify-write writes if it reads `old`; none if it does not write.
  static std::optional<value> modified(state const& s, instruction const& i, value old) {
    value const operand = evaluate(s, i.values[0]);
    switch (i.operation) {
    case operation::exchange: return operand;
    case operation::fetch_add:
    case operation::store_add: return old + operand;
    default: break;
    }
    return evaluate(s, *i.expected) == old ? std::optional(operand) : std::nullopt;
  }

  void element(state s, instruction const& i, int number, std::vector<value> elements, event_set from) {
    if (number == i.elements) {
      value whole = 0;
      int const bits = 8 * program_.locations[std::size_t(i.location)].size / i.elements;
      for (int n = 0; n < i.elements; ++n) whole |= elements[std::size_t(n)] << (n * bits);
      set(s, i, whole, from);
      return walk(std::move(s));
    }
    extent const where = layout_.element(program_, i, number);
    std::vector<value> chosen;
    for_each_value(where, chosen, [&](std::vector<value> const& cells) {
      state next = s;
      event e = make(i, event_kind::access);
      e.reads = true;
      e.where = where;
      e.read = cells;
      order_access(next, i, e, false);
      auto read = elements;
      read.push_back(layout_.join(where, cells));
      event_set const own = only(int(next.events.size()));
      push(next, std::move(e));
      element(std::move(next), i, number + 1, std::move(read), from | own);
    });
  }

  void read(state const& s, instruction const& i) {
    extent const where = layout_.of(i.location);
    std::vector<value> chosen;
    for_each_value(where, chosen, [&](std::vector<value> const& cells) {
      value const old = layout_.join(where, cells);
      if (i.until && !holds(i.until->compare, old, evaluate(s, i.until->right))) return;
      if (i.operation == operation::wait && old == evaluate(s, i.values[0])) return;
      state next = s;
      event e = make(i, event_kind::access);
      e.reads = true;
      e.where = where;
      e.read = cells;
      bool failed = false;
      event_set depends = condition(s);
      if (i.operation != operation::load && i.operation != operation::wait) {
        auto const desired = modified(s, i, old);
        failed = !desired;
        e.writes = !failed;
        if (desired) e.written = layout_.split(where, *desired);
        depends |= sources(s, i.values[0]);
        if (i.expected) depends |= sources(s, *i.expected);
      }
      if (e.writes) e.depends = depends;
      order_access(next, i, e, failed);
      event_set const own = only(int(next.events.size()));
      push(next, std::move(e));
      if (i.operation != operation::store_add) set(next, i, old, own);
      if (i.until || i.operation == operation::wait) next.control |= own; // what follows a loop depends on its end
      walk(std::move(next));
    });
  }

  void write(state s, instruction const& i) {
    value const v = evaluate(s, i.values[0]);
    int const bits = 8 * program_.locations[std::size_t(i.location)].size / i.elements;
    for (int n = 0; n < i.elements; ++n) {
      event e = make(i, event_kind::access);
      e.writes = true;
      e.where = layout_.element(program_, i, n);
      e.written = layout_.split(e.where, v >> (n * bits));
      e.depends = sources(s, i.values[0]) | condition(s);
      order_access(s, i, e, false);
      push(s, std::move(e));
    }
    walk(std::move(s));
  }

  void fence(state s, instruction const& i) {
    event e = make(i, event_kind::fence);
    e.acquires = acquires(i.order);
    e.releases = releases(i.order);
    e.seq_cst = i.order == order::seq_cst;
    push(s, std::move(e));
    walk(std::move(s));
  }

  void sync(state s, instruction const& i) {
    for (event_kind const kind : {event_kind::arrive, event_kind::meet}) {
      event e = make(i, kind);
      e.level = int(i.level);
      e.round = s.rounds[std::size_t(i.level)];
      push(s, std::move(e));
    }
    ++s.rounds[std::size_t(i.level)];
    walk(std::move(s));
  }

  /// The results that a call can return.
  std::set<value> results(instruction const& i) const {
    auto const& o = program_.objects[std::size_t(i.object)];
    std::set<value> all{0};
    switch (i.member) {
    case member::find:
      for (auto const& t : program_.threads)
        for (auto const& other : t.instructions)
          if (other.operation == operation::call && other.object == i.object && other.member == member::insert) {
            if (other.values[1].first.reg || !other.values[1].rest.empty())
              throw std::invalid_argument("the value of " + o.name + ".insert is not a number");
            all.insert(other.values[1].first.constant);
          }
      return all;
    case member::take:
      for (int n = 1; n <= o.count; ++n) all.insert(value(n));
      return all;
    case member::try_wait:
    case member::try_acquire:
    case member::try_lock:
    case member::enter:
    case member::request_stop:
    case member::stop_requested:
    case member::insert: return {0, 1};
    default: return all;
    }
  }

  void call(state const& s, instruction const& i) {
    for (value const result : results(i)) {
      state next = s;
      event e = make(i, event_kind::call);
      e.object = i.object;
      e.member = i.member;
      e.result = result;
      e.acquires = i.order == order::weak ? i.member == member::find : acquires(i.order);
      e.releases = i.order == order::weak ? i.member == member::insert : releases(i.order);
      e.depends = condition(s);
      for (auto const& v : i.values) {
        e.arguments.push_back(evaluate(s, v));
        e.depends |= sources(s, v);
      }
      if (i.member == member::arrive_and_wait) {
        bool const latch = program_.objects[std::size_t(i.object)].kind == object_kind::latch;
        e.member = latch ? member::count_down : member::arrive;
        push(next, e);
        e.member = member::wait;
      }
      push(next, std::move(e));
      set(next, i, result, 0);
      if (i.member == member::enter && result == 0) { // another thread executes the function
        auto const& all = column().instructions;
        while (all[next.next - 1].object != i.object || all[next.next - 1].member != member::leave) ++next.next;
      }
      walk(std::move(next));
    }
  }

  void walk(state s) {
    if (s.next == column().instructions.size()) {
      if (out_.size() == max_traces)
        throw std::length_error(column().name + " has more than " + std::to_string(max_traces) + " traces");
      out_.push_back({std::move(s.events), std::move(s.registers)});
      return;
    }
    instruction const& i = column().instructions[s.next++];
    s.guarded = 0;
    if (i.guard) {
      auto const& g = *i.guard;
      bool const taken = holds(g.test.compare, s.registers[std::size_t(g.reg)], evaluate(s, g.test.right));
      event_set const from = s.sources[std::size_t(g.reg)] | sources(s, g.test.right);
      if (i.operation == operation::exit) {
        s.control |= from;
        if (!taken) s.next = column().instructions.size();
        return walk(std::move(s));
      }
      if (!taken) {
        if (i.result) s.sources[std::size_t(*i.result)] |= from;
        return walk(std::move(s));
      }
      s.guarded = from;
    }
    execute(std::move(s), i);
  }

  void execute(state s, instruction const& i) {
    switch (i.operation) {
    case operation::load: return i.elements > 1 ? element(std::move(s), i, 0, {}, 0) : read(s, i);
    case operation::exchange:
    case operation::fetch_add:
    case operation::store_add:
    case operation::compare_exchange:
    case operation::wait: return read(s, i);
    case operation::store: return write(std::move(s), i);
    case operation::fence: return fence(std::move(s), i);
    case operation::sync: return sync(std::move(s), i);
    case operation::notify: return walk(std::move(s));
    case operation::assign: {
      value const v = evaluate(s, i.values[0]);
      set(s, i, v, sources(s, i.values[0]));
      return walk(std::move(s));
    }
    case operation::call: return call(s, i);
    case operation::exit: break;
    }
  }

public:
  walker(program const& p, placement const& where, layout const& l, lowering how, int thread, domain const& values,
         domain& written, std::vector<trace>& out)
    : program_(p), placement_(where), layout_(l), lowering_(how), thread_(thread), values_(values), written_(written),
      out_(out) {}

  void walk() {
    state s;
    s.registers.resize(column().registers.size());
    s.sources.resize(column().registers.size());
    walk(std::move(s));
  }
};

/// The initial values.
domain initial_values(program const& p, layout const& l) {
  domain result(std::size_t(l.roots()));
  for (int root = 0; root < l.roots(); ++root) {
    if (l.cells(root).empty()) continue;
    extent const all = l.of(root);
    for (value const v : l.split(all, p.locations[std::size_t(root)].initial)) result[std::size_t(root)].push_back({v});
  }
  return result;
}

/// Adds the values that the condition asks of registers to the locations that are read into them.
void add_asked(program const& p, layout const& l, condition const& c, domain& values) {
  for (auto const& operand : c.operands) add_asked(p, l, operand, values);
  if (c.kind != condition_kind::reg) return;
  for (auto const& i : p.threads[std::size_t(c.thread)].instructions) {
    if (i.location < 0 || i.result != c.reg) continue;
    extent const where = l.of(i.location);
    auto const cells = l.split(where, c.equals);
    for (int n = 0; n < where.count; ++n)
      values[std::size_t(where.root)][std::size_t(where.first + n)].insert(cells[std::size_t(n)]);
  }
}

} // namespace

std::vector<std::vector<trace>> traces_of(program const& p, placement const& where, layout const& l, lowering how) {
  domain values = initial_values(p, l);
  add_asked(p, l, p.exists, values);
  std::size_t writes = 0;
  for (auto const& t : p.threads)
    for (auto const& i : t.instructions) writes += i.location >= 0 && i.operation != operation::load;
  std::vector<std::vector<trace>> result;
  // Each round adds the values that the writes make of those of the round before. A value is made by at most as many
  // writes as there are.
  for (std::size_t round = 0; round <= writes; ++round) {
    result.assign(p.threads.size(), {});
    domain next = values;
    for (std::size_t t = 0; t < p.threads.size(); ++t) walker(p, where, l, how, int(t), values, next, result[t]).walk();
    if (next == values) break;
    values = std::move(next);
  }
  return result;
}

} // namespace litmus
