// SPDX-License-Identifier: Apache-2.0
//
// check_memory: memory that does not exist or was not written, asynchronous copies, reports, and many threads.
#include "../../../../tools/emulator/check/run/report.hpp"
#include "../../../../tools/emulator/ptx/parse.hpp"
#include "world.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace {

using namespace emulator_test;

/// A copy of an int by the async proxy, which ends at a phase of a barrier.
std::uint64_t copy(actor t, int& to, int& from) {
  auto const number = t.w->model.issue(t.now());
  int value;
  t.w->model.async_load(number, t.at(from, {}, proxy::async), &value);
  t.w->model.async_store(number, t.at(to, {}, proxy::async), &value);
  return number;
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_memory)

BOOST_AUTO_TEST_CASE(memory_that_does_not_exist_is_reported_and_not_touched) {
  world w(1);
  int array[4] = {1, 2, 3, 4};
  w.model.allocated(reinterpret_cast<std::byte*>(array), 8, "managed memory");
  BOOST_TEST(w(0, 0).load(array[1]) == 2);
  BOOST_TEST(w.findings.empty());
  BOOST_TEST(w(0, 0).load(array[2]) == 0);
  BOOST_TEST(w.has("out of bounds", "0 bytes past the end of managed memory of 8 bytes"));
  w(0, 0).store(array[2], 9);
  BOOST_TEST(array[2] == 3);
  w(0, 0).load(reinterpret_cast<long long&>(array[1]));
  BOOST_TEST(w.has("out of bounds", "goes beyond the end of managed memory"));
  w.model.freed(reinterpret_cast<std::byte*>(array));
  w(0, 0).load(array[0]);
  BOOST_TEST(w.has("use after free", "managed memory that is gone"));
  std::size_t const before = w.findings.size();
  w.model.allocated(reinterpret_cast<std::byte*>(array), 16, "device memory");
  w(0, 0).load(array[3]);
  BOOST_TEST(w.findings.size() == before);
}

BOOST_AUTO_TEST_CASE(reused_memory_has_no_history) {
  world w(1);
  int x = 0;
  w.model.allocated(reinterpret_cast<std::byte*>(&x), 4, "device memory");
  w(0, 0).store(x, 1, release(scope::gpu));
  w.model.freed(reinterpret_cast<std::byte*>(&x));
  w.model.allocated(reinterpret_cast<std::byte*>(&x), 4, "device memory");
  w(2, 0).store(x, 2);
  BOOST_TEST(w.findings.empty());
}

BOOST_AUTO_TEST_CASE(shared_memory_is_uninitialised_until_it_is_written) {
  world w(1);
  w(0, 0).store(w.shared[0][1], 1);
  w(0, 0).load(w.shared[0][1]);
  BOOST_TEST(w.findings.empty());
  w(0, 0).load(w.shared[0][2]);
  BOOST_TEST(w.has("uninitialised", "__shared__ data"));
  w.findings.clear();
  w.model.end_block(*w.blocks[1]);
  w(0, 0).load(w.shared[1][0]);
  BOOST_TEST(w.has("use after free"));
}

BOOST_AUTO_TEST_CASE(device_memory_is_uninitialised_until_a_thread_or_the_host_writes_it) {
  world w(1);
  alignas(16) int array[64]{};
  auto* const where = reinterpret_cast<std::byte*>(array);
  w.model.allocated(where, sizeof array, "device memory", true);
  w(0, 0).store(array[1], 1);
  w(0, 0).load(array[1]);
  w.model.written(where + 8, 16, 8, 3); // 2, 3; 6, 7; 10, 11
  for (int i : {2, 3, 6, 7, 10, 11}) w(0, 0).load(array[i]);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  for (int i : {0, 4, 5, 8, 9, 12}) w(0, 0).load(array[i]);
  w(0, 0).add(array[20], 1, relaxed(scope::gpu));
  BOOST_TEST(w.findings.size() == 7u);
  BOOST_TEST(w.has("uninitialised", "set it first, as with cudaMemset"));
  w.findings.clear();
  // A compiler may read a float4 whose fourth element is never used.
  w(0, 0).store(array[24], 1);
  for (int i : {24, 25, 26, 27, 28}) {
    auto a = w(0, 0).at(array[i], {});
    a.vector_size = 16;
    int element;
    w.model.load(a, &element);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == std::size_t(i == 28));
  }
  w.findings.clear();
  w.model.written(where, 1024, 1024, 1); // more than all of it
  for (int i = 30; i < 64; ++i) w(0, 0).load(array[i]);
  w.model.freed(where);
  w.model.allocated(where, sizeof array, "managed memory");
  for (int i = 0; i < 64; ++i) w(0, 0).load(array[i]);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  // A copy may read uninitialised bytes: the copied value need not be used.
  w.model.freed(where);
  w.model.allocated(where, sizeof array, "device memory", true);
  auto const number = w.model.issue(w(0, 0).now());
  int value;
  w.model.async_load(number, w(0, 0).at(array[5], {}, proxy::async), &value);
  BOOST_TEST(w.findings.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_copy_needs_a_proxy_fence_after_a_generic_write) {
  enum class where { nowhere, issuer, writer };
  for (where fenced : {where::nowhere, where::issuer, where::writer}) {
    world w(1);
    int barrier = 0;
    w(0, 1).store(w.shared[0][0], 1);
    if (fenced == where::writer) w(0, 1).proxy_fence();
    for (int t = 0; t < 4; ++t) w(0, t).arrive(&barrier, 0);
    for (int t = 0; t < 4; ++t) w(0, t).leave(&barrier, 0);
    if (fenced == where::issuer) w(0, 0).proxy_fence();
    copy(w(0, 0), w.m->x, w.shared[0][0]);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.has("race", "fence.proxy.async") == (fenced == where::nowhere));
    BOOST_TEST(w.findings.size() == (fenced == where::nowhere ? 1u : 0u));
  }
}

BOOST_AUTO_TEST_CASE(a_copy_needs_a_proxy_fence_after_a_generic_read_of_its_target) {
  enum class where { nowhere, issuer, reader };
  for (where fenced : {where::nowhere, where::issuer, where::reader}) {
    world w(1);
    int barrier = 0;
    w(0, 1).load(w.shared[0][0]);
    if (fenced == where::reader) w(0, 1).proxy_fence();
    for (int t = 0; t < 4; ++t) w(0, t).arrive(&barrier, 0);
    for (int t = 0; t < 4; ++t) w(0, t).leave(&barrier, 0);
    if (fenced == where::issuer) w(0, 0).proxy_fence();
    copy(w(0, 0), w.shared[0][0], w.m->x);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.has("race", "fence.proxy.async") == (fenced == where::nowhere));
  }
  world w(1); // both read: nothing to order
  w(0, 0).load(w.m->x);
  copy(w(0, 0), w.shared[0][0], w.m->x);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_proxy_fence_is_for_the_state_spaces_that_it_names) {
  for (bool const fences_global : {true, false})
    for (bool const fences_shared : {true, false}) {
      world w(1);
      int barrier = 0;
      w(0, 1).store(w.shared[0][0], 1);
      w(0, 1).store(w.m->x, 1);
      w.model.proxy_fence(w(0, 1).now(), fences_global, fences_shared);
      for (int t = 0; t < 4; ++t) w(0, t).arrive(&barrier, 0);
      for (int t = 0; t < 4; ++t) w(0, t).leave(&barrier, 0);
      copy(w(0, 0), w.m->y, w.shared[0][0]);
      BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == (fences_shared ? 0u : 1u));
      w.findings.clear();
      copy(w(0, 0), w.shared[0][1], w.m->x);
      BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == (fences_global ? 0u : 1u));
    }
}

BOOST_AUTO_TEST_CASE(a_write_after_the_proxy_fence_needs_another_fence) {
  world w(1);
  w(0, 0).store(w.m->x, 1);
  w(0, 0).proxy_fence();
  w(0, 0).store(w.m->x, 2);
  copy(w(0, 0), w.shared[0][0], w.m->x);
  BOOST_TEST(w.has("race", "fence.proxy.async"));
}

BOOST_AUTO_TEST_CASE(completion_of_a_copy_publishes_only_its_writes) {
  for (bool acquires : {true, false}) {
    world w(1);
    auto* const barrier = &w.shared[0][10];
    w(0, 0).store(w.m->y, 1);
    auto const c = copy(w(0, 0), w.shared[0][0], w.m->x);
    w.model.async_arrive(c, barrier, 0);
    w(0, 1).leave(barrier, 0, scope::cta, acquires);
    w(0, 1).load(w.shared[0][0]);
    BOOST_TEST(w.findings.size() == !acquires);
    w.findings.clear();
    w(0, 1).load(w.m->y);
    BOOST_TEST(w.findings.size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_copy_of_another_block_acquires_at_cluster_scope) {
  struct {
    int issuer;
    scope wait;
    bool acquires;
    scope fence; // after the wait
    bool is_right;
  } const cases[] = {
      {0, scope::cta, true, scope::none, true},      {0, scope::cta, false, scope::cta, true},
      {0, scope::cta, false, scope::none, false},    {1, scope::cluster, true, scope::none, true},
      {1, scope::cta, true, scope::none, false},     {1, scope::cluster, false, scope::cluster, true},
      {1, scope::cluster, false, scope::cta, false}, {1, scope::cluster, false, scope::none, false},
      {1, scope::cta, false, scope::cluster, false}, {1, scope::cta, true, scope::cluster, false},
  };
  for (auto const& c : cases) {
    world w(1);
    auto* const barrier = &w.shared[0][10];
    auto const number = copy(w(c.issuer, 0), w.shared[0][0], w.m->x);
    w.model.async_arrive(number, barrier, 0);
    w(0, 1).leave(barrier, 0, c.wait, c.acquires);
    if (c.fence != scope::none) w(0, 1).fence(semantics::acquire, c.fence);
    w(0, 1).load(w.shared[0][0]);
    BOOST_TEST_CONTEXT("issuer " << c.issuer << ", wait " << int(c.wait) << " " << c.acquires << ", fence "
                                 << int(c.fence) << "\n"
                                 << w.texts())
    BOOST_TEST(w.findings.size() == !c.is_right);
  }
}

BOOST_AUTO_TEST_CASE(the_report_of_a_wait_at_block_scope_names_the_wait) {
  world w(1);
  auto* const barrier = &w.shared[0][10];
  w.model.async_arrive(copy(w(1, 0), w.shared[0][0], w.m->x), barrier, 0);
  w(0, 1).leave(barrier, 0);
  for (int t = 1; t < 3; ++t) w(0, t).arrive(w.blocks[0].get(), 0);
  for (int t = 1; t < 3; ++t) w(0, t).leave(w.blocks[0].get(), 0);
  w(0, 2).load(w.shared[0][0]); // by another thread than the one that waited
  BOOST_TEST(w.has("race", "the wait for the copy has scope .cta, which does not include the block that issued"));
}

namespace {

/// What another block did at the first block's memory before the first block ends, and what threads of that saw of it.
enum class visited { write, read, atomic, arrival, copy };
enum class awaited { never, relaxed, acquired, by_another_thread };

std::size_t findings_of_visit(visited how, awaited seen) {
  world w(1, 2, 2);
  int &data = w.shared[0][0], &flag = w.shared[0][2];
  void const* const barrier = &w.shared[0][10];
  w(0, 0).store(data, 1);
  w(0, 0).store(flag, 0, relaxed(scope::cluster));
  for (int b : {0, 1}) w(b, 0).arrive(w.m.get(), 0, scope::cluster);
  for (int b : {0, 1}) w(b, 0).leave(w.m.get(), 0, scope::cluster);
  actor const visitor = w(1, 0);
  bool is_over = false;
  switch (how) {
  case visited::write: visitor.store(data, 2); break;
  case visited::read: visitor.load(data); break;
  case visited::atomic: visitor.add(data, 1, relaxed(scope::cluster)); break;
  case visited::arrival:
    w.model.visit(visitor.now(), barrier, 0);
    visitor.arrive(barrier, 0, scope::cluster, seen != awaited::relaxed);
    break;
  case visited::copy: w.model.async_arrive(copy(visitor, w.shared[0][4], w.m->x), barrier, 0); break;
  }
  bool const counts = how == visited::arrival || how == visited::copy;
  actor const waits = w(0, seen == awaited::by_another_thread ? 1 : 0);
  if (seen != awaited::never && counts) {
    waits.leave(barrier, 0, scope::cluster, seen != awaited::relaxed);
    is_over = true;
  } else if (seen != awaited::never) {
    visitor.store(flag, 1, seen == awaited::relaxed ? relaxed(scope::cluster) : release(scope::cluster));
    while (!waits.load(flag, seen == awaited::relaxed ? relaxed(scope::cluster) : acquire(scope::cluster)));
  }
  auto const& last = *w(0, 0).t;
  for (int t : {0, 1}) w.model.end_thread(*w(0, t).t);
  w.model.check_visits({last, &w.code[w.step++]}, [&](void const*) { return std::uint64_t(is_over); });
  return w.findings.size();
}

} // namespace

BOOST_AUTO_TEST_CASE(what_other_blocks_do_at_a_blocks_memory_must_come_before_its_end) {
  for (visited how : {visited::write, visited::read, visited::atomic, visited::arrival})
    for (awaited seen : {awaited::never, awaited::relaxed, awaited::acquired, awaited::by_another_thread})
      BOOST_TEST_CONTEXT(int(how) << " " << int(seen))
  BOOST_TEST(findings_of_visit(how, seen) == (seen == awaited::never));
  BOOST_TEST(findings_of_visit(visited::copy, awaited::never) == 1u);
  BOOST_TEST(findings_of_visit(visited::copy, awaited::acquired) == 0u);
}

BOOST_AUTO_TEST_CASE(a_block_observes_no_write_by_reading_one_that_was_made_before) {
  // In some seeds the visitor's store precedes that of the block in coherence order.
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    world w(seed, 2, 2);
    int& data = w.shared[0][0];
    w(0, 0).store(data, 1, relaxed(scope::cluster));
    w(0, 0).store(data, 2, relaxed(scope::cluster));
    w(0, 1).load(data, relaxed(scope::cluster));
    w(1, 0).store(data, 3, relaxed(scope::cluster));
    for (int t : {0, 1}) w.model.end_thread(*w(0, t).t);
    w.model.check_visits({*w(0, 0).t, &w.code[w.step++]}, [](void const*) { return std::uint64_t(0); });
    BOOST_TEST_CONTEXT("seed " << seed << "\n" << w.texts()) BOOST_TEST(w.has("use after free"));
  }
}

namespace {

/// All threads of a block read the shared memory of another one, and arrive at a barrier of its, or one of them does
/// after a barrier of the block. A thread of the other block waits for the phase.
enum class arrivals { each, one_after_a_barrier, by_relaxed_store, before_the_reads };

std::string findings_of_readers(arrivals how, scope arrives, scope waits, bool acquires, bool has_ended) {
  constexpr int readers = 12; // more than reports remember of a thread
  world w(1, 2, readers);
  int &data = w.shared[0][0], &flag = w.shared[0][2];
  void const* const barrier = &w.shared[0][10];
  int block_barrier = 0;
  w(0, 0).store(data, 1);
  w(0, 0).store(flag, 0, relaxed(scope::cluster));
  for (int b : {0, 1})
    for (int t = 0; t < readers; ++t) w(b, t).arrive(w.m.get(), 0, scope::cluster);
  for (int b : {0, 1})
    for (int t = 0; t < readers; ++t) w(b, t).leave(w.m.get(), 0, scope::cluster);
  auto const arrive = [&](int t) {
    w.model.visit(w(1, t).now(), barrier, 0);
    w(1, t).arrive(barrier, 0, arrives);
  };
  for (int t = 0; t < readers; ++t) {
    if (how == arrivals::before_the_reads) arrive(t);
    w(1, t).load(data);
    if (how == arrivals::each) arrive(t);
  }
  if (how == arrivals::one_after_a_barrier || how == arrivals::by_relaxed_store) {
    for (int t = 0; t < readers; ++t) w(1, t).arrive(&block_barrier, 0);
    for (int t = 0; t < readers; ++t) w(1, t).leave(&block_barrier, 0);
    if (how == arrivals::one_after_a_barrier) arrive(7);
    else w(1, 7).store(flag, 1, relaxed(scope::cluster));
  }
  auto const end = [&](int b) {
    for (int t = 0; t < readers; ++t) w.model.end_thread(*w(b, t).t);
  };
  auto const wait = [&] {
    if (how != arrivals::by_relaxed_store) return w(0, 3).leave(barrier, 0, waits, acquires);
    while (!w(0, 3).load(flag, relaxed(scope::cluster)));
  };
  // The block that read may end before the wait, and after it.
  if (!has_ended) wait();
  end(1);
  w.model.check_visits({*w(1, 0).t, &w.code[w.step++]}, [](void const*) { return std::uint64_t(0); });
  w.model.end_block(*w.blocks[1]);
  if (has_ended) wait();
  end(0);
  w.model.check_visits({*w(0, 0).t, &w.code[w.step++]}, [](void const*) { return std::uint64_t(1); });
  return w.texts();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_wait_without_an_acquire_is_enough_for_reads_by_a_block_that_has_ended) {
  struct {
    scope arrives, waits;
    bool acquires;
  } const forms[] = {{scope::cta, scope::cta, true},
                     {scope::cluster, scope::cta, true},
                     {scope::cluster, scope::cluster, false},
                     {scope::cluster, scope::cluster, true}};
  for (bool has_ended : {false, true})
    for (auto const& f : forms)
      for (arrivals how :
           {arrivals::each, arrivals::one_after_a_barrier, arrivals::by_relaxed_store, arrivals::before_the_reads})
        BOOST_TEST_CONTEXT("form " << &f - forms << ", arrivals " << int(how) << ", has ended: " << has_ended) {
          std::string const found = findings_of_readers(how, f.arrives, f.waits, f.acquires, has_ended);
          if (how != arrivals::before_the_reads) BOOST_TEST(found == "");
          else BOOST_TEST(found.find("reads its shared memory") != found.npos, found);
        }
}

BOOST_AUTO_TEST_CASE(a_thread_that_did_not_wait_for_a_copy_races_with_it) {
  for (bool waits : {false, true}) {
    world w(1);
    auto const c = copy(w(0, 0), w.shared[0][0], w.m->x);
    if (waits) w.model.async_wait(c, w(0, 0).now());
    w(0, 0).load(w.shared[0][0]);
    w(0, 0).store(w.m->x, 1); // the source of the copy
    BOOST_TEST(w.has("race", "no thread waited for its end") == !waits);
    BOOST_TEST(w.findings.size() == (waits ? 0u : 2u));
  }
}

BOOST_AUTO_TEST_CASE(after_the_reads_of_a_copy_its_source_may_be_written_but_its_target_not_used) {
  world w(1);
  for (int i = 0; i < 5; ++i) {
    w.step = 0;
    auto const c = copy(w(0, 0), w.shared[0][i], w.m->x);
    w.model.async_wait(c, w(0, 0).now(), true);
    w(0, 0).store(w.m->x, i);
    w(0, 0).proxy_fence();
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  }
  w(0, 0).load(w.shared[0][0]);
  w(0, 0).load(w.shared[0][4]);
  BOOST_TEST(w.findings.size() == 2u);
}

BOOST_AUTO_TEST_CASE(later_accesses_of_the_issuer_race_with_its_copy) {
  world w(1);
  auto const number = w.model.issue(w(0, 0).now());
  w(0, 0).store(w.m->x, 1);
  int value;
  w.model.async_load(number, w(0, 0).at(w.m->x, {}, proxy::async), &value);
  BOOST_TEST(w.has("race"));
}

BOOST_AUTO_TEST_CASE(a_pipeline_of_copies_is_silent) {
  world w(1);
  int const full = 20, empty = 30;
  for (int i = 0; i < 50; ++i) {
    int const stage = i % 2, phase = i / 2;
    w.step = 0;
    if (phase > 0) w(0, 0).leave(&w.shared[0][empty + 2 * stage], phase - 1);
    w(0, 0).proxy_fence(); // the target was read
    auto const c = copy(w(0, 0), w.shared[0][stage], w.m->x);
    w.model.async_arrive(c, &w.shared[0][full + 2 * stage], std::uint64_t(phase));
    w(0, 1).leave(&w.shared[0][full + 2 * stage], phase);
    w(0, 1).load(w.shared[0][stage]);
    w(0, 1).arrive(&w.shared[0][empty + 2 * stage], phase);
  }
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
}

BOOST_AUTO_TEST_CASE(reports_name_the_instruction_and_the_source) {
  emulator::program program(emulator::ptx::parse(R"(.version 8.8
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  .loc 1 42 3
  ld.global.u32 %r1, [%rd1];
  .loc 1 43 3
  st.global.u32 [%rd1], %r1;
  ret;
}
.file 1 "some/where.cu"
)",
                                                 "test.ptx"));
  emulator::function const* const f = program.kernel("k");
  BOOST_REQUIRE(f);
  std::vector<emulator::operation const*> accesses;
  for (std::size_t i = 0; i < f->operations.size() && i < f->sources.size(); ++i)
    if (f->sources[i] && f->sources[i]->at.source_line >= 42 && f->sources[i]->name != "ret")
      accesses.push_back(&f->operations[i]);
  BOOST_REQUIRE(accesses.size() >= 2);
  world w(1);
  std::uint64_t registers[64]{};
  emulator::frame frame{f, nullptr, nullptr, registers};
  for (int b : {0, 2}) w.blocks[std::size_t(b)]->threads[0].frame = &frame;
  auto const at = [&](int b, emulator::operation const* what) {
    return emulator::check::access{
        {*w(b, 0).t, what}, reinterpret_cast<std::byte*>(&w.m->x), 4, semantics::weak, scope::none};
  };
  int value = 0;
  w.model.load(at(0, accesses.front()), &value);
  w.model.store(at(2, accesses.back()), &value);
  BOOST_REQUIRE(w.findings.size() == 1u);
  auto const& found = w.findings[0];
  BOOST_TEST_CONTEXT(found.text) {
    BOOST_TEST(found.text.find("st.global.u32 [%rd1], %r1 at some/where.cu:43 (test.ptx:12)") != std::string::npos);
    BOOST_TEST(found.text.find("kernel k, block (2, 0, 0), thread (0, 0, 0)") != std::string::npos);
  }
  BOOST_TEST(found.parties.size() == 2u);
  BOOST_TEST(found.parties[0].source == "some/where.cu:42");
  std::string const json = emulator::check::json_of(found, 17);
  BOOST_TEST(json.find('\n') == std::string::npos);
  BOOST_TEST(json.find(R"("kind":"race","seed":17)") != std::string::npos);
  BOOST_TEST(json.find(R"("block":[2,0,0],"thread":[0,0,0],"instruction":"st.global.u32 [%rd1], %r1","ptx_line":12)") !=
             std::string::npos);
  BOOST_TEST(emulator::check::text_of(found, 17).find("--seed 17") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ten_thousand_threads_can_be_checked) {
  int const blocks = 40, threads = 256;
  world w(1, blocks, threads);
  auto const begin = std::chrono::steady_clock::now();
  std::vector<int> data = std::vector<int>(std::size_t(blocks * threads));
  w.model.allocated(reinterpret_cast<std::byte*>(data.data()), data.size() * 4, "device memory");
  std::vector<int> const barriers = std::vector<int>(std::size_t(blocks));
  std::uint64_t operations = 0;
  int phase = 0, wrong = 0;
  auto const meet = [&] {
    for (int b = 0; b < blocks; ++b) {
      for (int t = 0; t < threads; ++t) w.step = 1, w(b, t).arrive(&barriers[std::size_t(b)], phase), ++operations;
      for (int t = 0; t < threads; ++t) w.step = 1, w(b, t).leave(&barriers[std::size_t(b)], phase), ++operations;
    }
    ++phase;
  };
  for (int round = 0; round < 5; ++round) {
    for (int b = 0; b < blocks; ++b)
      for (int t = 0; t < threads; ++t)
        w.step = 10, w(b, t).store(data[std::size_t(b * threads + t)], round), ++operations;
    meet();
    for (int b = 0; b < blocks; ++b) w.step = 20, w(b, 0).add(w.m->flag, 1, acq_rel(scope::gpu)), ++operations;
    for (int b = 0; b < blocks; ++b) w.step = 30, w(b, 0).add(w.m->flag, 0, acquire(scope::gpu)), ++operations;
    meet();
    for (int b = 0; b < blocks; ++b)
      for (int t = 0; t < threads; ++t) {
        auto const i = std::size_t(b * threads + t) * 7919 % data.size();
        w.step = 40, wrong += w(b, t).load(data[i]) != round, ++operations;
        w.step = 50, w(b, t).add(w.m->y, 1, relaxed(scope::gpu)), ++operations;
        w.step = 60, w(b, t).add(w.m->z, 1, acq_rel(scope::gpu)), ++operations;
      }
    // Each thread read what others write in the next round: another barrier of the grid.
    meet();
    for (int b = 0; b < blocks; ++b) w.step = 70, w(b, 0).add(w.m->flag, 1, acq_rel(scope::gpu)), ++operations;
    for (int b = 0; b < blocks; ++b) w.step = 80, w(b, 0).add(w.m->flag, 0, acquire(scope::gpu)), ++operations;
    meet();
  }
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
  BOOST_TEST(wrong == 0);
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  BOOST_TEST_MESSAGE(operations << " operations in " << seconds << " s");
}

BOOST_AUTO_TEST_SUITE_END()
