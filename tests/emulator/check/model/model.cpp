// SPDX-License-Identifier: Apache-2.0
//
// check_model: what synchronizes and what is a race, in the memory model of checked runs.
#include "world.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace emulator_test;

constexpr scope scopes[] = {scope::cta, scope::cluster, scope::gpu, scope::sys};

/// How one side of message passing synchronizes: by its access, by a fence, or not at all.
struct side {
  enum { nothing, access, fence } how;
  scope of_access, of_fence;
};

std::vector<side> sides() {
  std::vector<side> all;
  for (scope s : scopes) {
    all.push_back({side::nothing, s, s});
    all.push_back({side::access, s, s});
    for (scope f : scopes) all.push_back({side::fence, s, f});
  }
  return all;
}

/// Block 0 passes a message to another thread. Returns whether that thread saw the flag.
bool pass_message(world& w, int block, int thread, side from, side to) {
  auto const a = w(0, 0), b = w(block, thread);
  a.store(w.m->x, 1);
  if (from.how == side::fence) a.fence(semantics::release, from.of_fence);
  a.store(w.m->flag, 1, from.how == side::access ? release(from.of_access) : relaxed(from.of_access));
  if (!b.load(w.m->flag, to.how == side::access ? acquire(to.of_access) : relaxed(to.of_access))) return false;
  if (to.how == side::fence) b.fence(semantics::acquire, to.of_fence);
  b.load(w.m->x);
  return true;
}

/// Begins another grid, of one thread.
void begin_second(world& w, emulator::grid& second, emulator::resident_block& b) {
  second.launch.kernel = &w.kernel;
  second.launch.block = {1, 1, 1};
  w.model.begin_grid(second);
  b.grid = &second;
  b.threads.resize(1);
  b.threads[0].block = &b;
  b.cluster = &b.own_cluster;
  w.model.begin_block(b);
}

} // namespace

BOOST_AUTO_TEST_SUITE(check_model)

BOOST_AUTO_TEST_CASE(a_message_is_passed_if_every_scope_includes_the_other_thread_and_both_sides_order) {
  struct position {
    int block, thread;
    scope least;
  } const positions[] = {{0, 1, scope::cta}, {1, 0, scope::cluster}, {2, 0, scope::gpu}};
  for (position const& p : positions)
    for (side const& from : sides())
      for (side const& to : sides()) {
        bool const flag_is_fine = from.of_access >= p.least && to.of_access >= p.least;
        bool const data_is_fine = flag_is_fine && from.how != side::nothing && to.how != side::nothing &&
                                  from.of_fence >= p.least && to.of_fence >= p.least;
        bool saw = false;
        for (std::uint64_t seed = 0; seed < 20 && !saw; ++seed) {
          world w(seed);
          if (!pass_message(w, p.block, p.thread, from, to)) continue;
          saw = true;
          BOOST_TEST_CONTEXT("block " << p.block << ", from " << from.how << " " << int(from.of_access) << " "
                                      << int(from.of_fence) << ", to " << to.how << " " << int(to.of_access) << " "
                                      << int(to.of_fence) << "\n"
                                      << w.texts())
          BOOST_TEST(w.findings.size() == std::size_t(!flag_is_fine) + std::size_t(!data_is_fine));
        }
        BOOST_TEST(saw);
      }
}

BOOST_AUTO_TEST_CASE(the_report_says_why_two_accesses_are_not_ordered) {
  auto const reported = [](auto pass, std::string const& words) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      world w(seed);
      pass(w);
      if (w.has("race", words)) return true;
    }
    return false;
  };
  auto const message = [](side from, side to) { return [=](world& w) { pass_message(w, 2, 0, from, to); }; };
  side const gpu_access{side::access, scope::gpu, scope::gpu}, relaxed_gpu{side::nothing, scope::gpu, scope::gpu};
  BOOST_TEST(reported(message(gpu_access, relaxed_gpu), "is relaxed and no acquire fence"));
  BOOST_TEST(reported(message(relaxed_gpu, gpu_access), "the write of the flag is relaxed and no release fence"));
  BOOST_TEST(reported(message({side::fence, scope::gpu, scope::cta}, gpu_access), "the release has scope .cta"));
  BOOST_TEST(reported(message(gpu_access, {side::fence, scope::gpu, scope::cta}), "the acquire has scope .cta"));
  BOOST_TEST(reported(message({side::access, scope::cta, scope::cta}, gpu_access), "the scope .cta of the first"));
  BOOST_TEST(reported(
      [](world& w) {
        w(0, 0).store(w.m->x, 1);
        w(0, 0).store(w.m->flag, 1);
        w(1, 0).load(w.m->flag);
        w(1, 0).load(w.m->x);
      },
      "the threads did not synchronise"));
  BOOST_TEST(reported(
      [](world& w) {
        w(0, 0).store(w.m->x, 1);
        w(0, 0).store(w.m->flag, 1);
        w(1, 0).load(w.m->flag, acquire(scope::gpu));
        w(1, 0).load(w.m->x);
      },
      "the flag is accessed by weak operations"));
  // Also if there is a barrier between the data and the flag, on either side.
  for (bool relaxed_write : {false, true})
    BOOST_TEST(reported(
        [&](world& w) {
          int *const first = &w.shared[0][60], *const second = &w.shared[2][60];
          w(0, 0).store(w.m->x, 1);
          for (int i : {0, 1}) w(0, i).arrive(first, 0);
          for (int i : {0, 1}) w(0, i).leave(first, 0);
          w(0, 1).store(w.m->flag, 1, relaxed_write ? relaxed(scope::gpu) : release(scope::gpu));
          if (!w(2, 0).load(w.m->flag, relaxed_write ? acquire(scope::gpu) : relaxed(scope::gpu))) return;
          for (int i : {0, 1}) w(2, i).arrive(second, 0);
          for (int i : {0, 1}) w(2, i).leave(second, 0);
          w(2, 1).load(w.m->x);
        },
        relaxed_write ? "the write of the flag is relaxed" : "is relaxed and no acquire fence"));
}

BOOST_AUTO_TEST_CASE(a_volatile_flag_passes_no_message) {
  int races = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    world w(seed);
    side const is_volatile{side::nothing, scope::sys, scope::sys};
    if (pass_message(w, 2, 0, is_volatile, is_volatile)) races += w.has("race");
  }
  BOOST_TEST(races > 0);
}

BOOST_AUTO_TEST_CASE(a_reduction_does_not_acquire) {
  for (bool is_reduction : {false, true}) {
    world w(1);
    actor const a = w(0, 0), b = w(2, 0), c = w(3, 0);
    a.store(w.m->x, 1);
    a.add(w.m->flag, 1, release(scope::gpu), true);
    b.add(w.m->flag, 1, relaxed(scope::gpu), is_reduction);
    b.fence(semantics::acquire, scope::gpu);
    b.load(w.m->x);
    BOOST_TEST(w.has("race") == is_reduction);
    w.findings.clear();
    if (c.load(w.m->flag, acquire(scope::gpu)) != 2) continue;
    c.load(w.m->x); // it still passes on what it read
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(the_host_passes_on_what_it_learned_since_its_last_write) {
  world w(1);
  actor const a = w(0, 0), b = w(2, 0);
  b.load(w.m->flag, acquire(scope::sys));
  w.m->flag = 1; // a write by the host
  BOOST_TEST(b.load(w.m->flag, acquire(scope::sys)) == 1);
  a.store(w.m->x, 1);
  a.store(w.m->y, 1, release(scope::sys));
  w.m->flag = 2;
  BOOST_TEST(b.load(w.m->flag, acquire(scope::sys)) == 2);
  b.load(w.m->x);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_failed_compare_and_swap_acquires_what_the_host_released) {
  world w(1);
  actor const a = w(0, 0), b = w(2, 0);
  w.model.allocated(reinterpret_cast<std::byte*>(w.shared_with_host), sizeof w.shared_with_host, "managed memory");
  a.store(w.m->x, 1);
  a.store(w.m->y, 1, release(scope::sys));
  w.shared_with_host[0] = 1; // a write by the host
  BOOST_TEST(!b.cas(w.shared_with_host[0], 0, 2, acquire(scope::sys)));
  b.load(w.m->x);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.size() == 0u);
}

BOOST_AUTO_TEST_CASE(read_modify_writes_continue_a_release_sequence) {
  for (scope s : {scope::gpu, scope::cta}) {
    world w(1);
    w(0, 0).store(w.m->x, 1);
    w(0, 0).add(w.m->flag, 1, release(scope::gpu));
    w(2, 0).add(w.m->flag, 1, relaxed(s));
    w(3, 0).add(w.m->flag, 1, acquire(scope::gpu));
    w(3, 0).load(w.m->x);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.has("race") == (s == scope::cta));
    // Also a race on the data: the chain breaks if the scope of the middle access is too narrow.
    BOOST_TEST(w.findings.size() == (s == scope::cta ? 3u : 0u));
  }
}

BOOST_AUTO_TEST_CASE(only_a_store_by_another_thread_ends_a_release_sequence) {
  for (bool own : {true, false}) {
    int seen = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      world w(seed);
      w(0, 0).store(w.m->x, 1);
      w(0, 0).store(w.m->flag, 1, release(scope::gpu));
      w(own ? 0 : 1, 0).store(w.m->flag, 2, relaxed(scope::gpu));
      if (w(2, 0).add(w.m->flag, 0, acquire(scope::gpu)) != 2) continue;
      ++seen;
      w(2, 0).load(w.m->x);
      BOOST_TEST(w.has("race") == !own);
    }
    BOOST_TEST(seen > 0);
  }
}

BOOST_AUTO_TEST_CASE(a_later_acquire_completes_a_relaxed_poll_or_a_failed_compare_and_swap) {
  world w(1);
  auto const fails = [&](actor t) { // and has read the release
    int found;
    do found = t.compare_and_swap(w.m->flag, 7, 8, relaxed(scope::gpu));
    while (found == 0);
    return found == 1;
  };
  w(0, 0).store(w.m->x, 1);
  w(0, 0).store(w.m->flag, 1, release(scope::gpu));
  BOOST_TEST(fails(w(2, 0)));
  w(2, 0).fence(semantics::acq_rel, scope::gpu);
  w(2, 0).load(w.m->x);
  BOOST_TEST(fails(w(3, 0)));
  w(1, 0).store(w.m->flag, 3, relaxed(scope::gpu)); // by another thread, without release
  w(3, 0).add(w.m->flag, 0, acquire(scope::gpu));   // an acquire of the same location, after a strong read of it
  w(3, 0).load(w.m->x);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
}

BOOST_AUTO_TEST_CASE(causality_is_transitive_over_different_scopes) {
  world w(1);
  w(0, 1).store(w.m->x, 1);
  w(0, 1).add(w.m->y, 1, release(scope::cta));
  w(0, 0).add(w.m->y, 1, acquire(scope::cta));
  w(0, 0).add(w.m->flag, 1, release(scope::gpu));
  w(3, 2).add(w.m->flag, 1, acquire(scope::gpu));
  w(3, 2).store(w.m->x, 2);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
}

BOOST_AUTO_TEST_CASE(a_reduction_with_release_semantics_does_not_acquire) {
  world w(1);
  w(0, 0).store(w.m->x, 1);
  w(0, 0).add(w.m->flag, 1, release(scope::gpu));
  w(2, 0).add(w.m->flag, 1, release(scope::gpu));
  w(2, 0).load(w.m->x);
  BOOST_TEST(w.has("race"));
}

BOOST_AUTO_TEST_CASE(a_lock_at_block_scope_does_not_exclude_other_blocks) {
  for (scope s : {scope::cta, scope::gpu}) {
    world w(1);
    for (int b : {0, 2}) {
      while (!w(b, 0).cas(w.m->flag, 0, 1, acquire(s)));
      w(b, 0).store(w.m->x, w(b, 0).load(w.m->x) + 1);
      w(b, 0).store(w.m->flag, 0, release(s));
    }
    BOOST_TEST(w.has("race") == (s == scope::cta));
    BOOST_TEST(w.m->x == 2);
  }
}

BOOST_AUTO_TEST_CASE(a_barrier_orders_all_threads_of_a_block) {
  for (bool with_barrier : {true, false}) {
    world w(1, 2, 64);
    int barrier = 0;
    for (int phase = 0; phase < 4; ++phase) {
      for (int t = 0; t < 64; ++t) w(0, t).store(w.m->array[t], t), w.step = phase * 10;
      for (int t = 0; with_barrier && t < 64; ++t) w(0, t).arrive(&barrier, phase), w.step = phase * 10 + 1;
      for (int t = 0; with_barrier && t < 64; ++t) w(0, t).leave(&barrier, phase), w.step = phase * 10 + 1;
      for (int t = 0; t < 64; ++t) w(0, t).load(w.m->array[63 - t]), w.step = phase * 10 + 5;
      for (int t = 0; with_barrier && t < 64; ++t) w(0, t).arrive(&barrier + 1, phase), w.step = phase * 10 + 6;
      for (int t = 0; with_barrier && t < 64; ++t) w(0, t).leave(&barrier + 1, phase), w.step = phase * 10 + 6;
    }
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.has("race") == !with_barrier);
  }
}

BOOST_AUTO_TEST_CASE(accesses_between_arrival_and_wait_are_not_ordered) {
  world w(1, 1, 2);
  int barrier = 0;
  w(0, 0).arrive(&barrier, 0);
  w(0, 0).store(w.m->x, 1); // after the arrival
  w(0, 1).arrive(&barrier, 0);
  w(0, 1).leave(&barrier, 0);
  w(0, 1).load(w.m->x);
  BOOST_TEST(w.has("race"));
}

BOOST_AUTO_TEST_CASE(a_relaxed_arrival_publishes_only_what_a_fence_released) {
  for (bool fence : {false, true}) {
    world w(1);
    w(0, 0).store(w.m->x, 1);
    if (fence) w(0, 0).fence(semantics::release, scope::cluster);
    w(0, 0).arrive(w.shared[1].data(), 0, scope::cluster, false);
    w(1, 0).leave(w.shared[1].data(), 0, scope::cluster);
    w(1, 0).load(w.m->x);
    BOOST_TEST(w.has("race") == !fence);
  }
}

BOOST_AUTO_TEST_CASE(an_arrival_with_the_default_scope_does_not_publish_to_the_cluster) {
  for (scope s : {scope::cta, scope::cluster}) {
    world w(1);
    w(0, 0).store(w.m->x, 1);
    w(0, 0).arrive(w.shared[1].data(), 0, s);
    w(1, 0).leave(w.shared[1].data(), 0, scope::cluster);
    w(1, 0).load(w.m->x);
    BOOST_TEST_CONTEXT(w.texts())
    BOOST_TEST(w.has("race", "the release has scope .cta") == (s == scope::cta));
    BOOST_TEST(w.findings.empty() == (s == scope::cluster));
  }
}

BOOST_AUTO_TEST_CASE(a_phase_includes_earlier_phases_of_the_mbarrier_unless_its_memory_was_reused) {
  for (bool reused : {false, true}) {
    world w(1);
    w(0, 0).store(w.m->x, 1);
    w(0, 0).arrive(w.shared[0].data(), 0);
    if (reused) w.model.forget(w.shared[0].data());
    w(0, 1).arrive(w.shared[0].data(), 1);
    w(0, 2).leave(w.shared[0].data(), 1);
    w(0, 2).load(w.m->x);
    BOOST_TEST(w.has("race") == reused);
  }
}

BOOST_AUTO_TEST_CASE(lanes_of_a_warp_need_a_barrier_like_all_threads) {
  for (bool synchronized : {false, true}) {
    world w(1, 2, 32);
    int warp = 0;
    for (int t = 0; t < 32; ++t) w(0, t).store(w.m->array[t], t), w.step = 0;
    if (synchronized) {
      for (int t = 0; t < 32; ++t) w(0, t).arrive(&warp, 0), w.step = 1;
      for (int t = 0; t < 32; ++t) w(0, t).leave(&warp, 0), w.step = 1;
    }
    w.step = 10;
    w(0, 0).add(w.m->flag, 1, release(scope::gpu));
    w(1, 0).add(w.m->flag, 0, acquire(scope::gpu));
    for (int t = 0; t < 32; ++t) w(1, 0).load(w.m->array[t]), w.step = 20;
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.has("race") == !synchronized);
  }
}

BOOST_AUTO_TEST_CASE(a_grid_is_ordered_after_grids_that_have_ended) {
  world w(1);
  w(0, 0).store(w.m->x, 1);
  emulator::grid second;
  {
    emulator::resident_block b;
    begin_second(w, second, b);
    actor{&w, &b.threads[0]}.load(w.m->x); // the first grid still runs
    BOOST_TEST(w.has("race"));
    w.model.end_block(b);
    w.model.end_grid(second);
  }
  w.findings.clear();
  w.model.end_grid(w.grid);
  emulator::resident_block b;
  begin_second(w, second, b);
  actor{&w, &b.threads[0]}.store(w.m->x, 2);
  BOOST_TEST(w.findings.empty());
}

/// A kernel continues after it raised a flag. The host sees the flag and launches another kernel, which reads the data.
BOOST_AUTO_TEST_CASE(a_grid_is_ordered_after_what_the_host_had_acquired) {
  for (bool const to_host : {true, false})
    for (bool const read_only : {true, false}) {
      world w(1);
      w(0, 0).store(w.m->x, 1);
      w(0, 0).store(w.m->flag, 1, release(to_host ? scope::sys : scope::gpu));
      w(0, 0).store(w.m->y, 1);
      emulator::grid second;
      emulator::resident_block b;
      begin_second(w, second, b);
      actor const t{&w, &b.threads[0]};
      auto a = t.at(w.m->x, {});
      a.is_read_only = read_only;
      int value;
      w.model.load(a, &value);
      BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty() == to_host);
      w.findings.clear();
      t.load(w.m->y); // written after the flag
      BOOST_TEST(w.has("race"));
    }
}

/// The second kernel acquires from the first one, which continues. Then the second kernel ends, and the third kernel is
/// ordered after what the second one had acquired.
BOOST_AUTO_TEST_CASE(a_grid_is_ordered_after_what_ended_grids_had_acquired) {
  for (bool const acquires : {true, false}) {
    world w(1);
    w(0, 0).store(w.m->x, 1);
    w(0, 0).store(w.m->flag, 1, release(scope::gpu));
    {
      emulator::grid second;
      emulator::resident_block b;
      begin_second(w, second, b);
      while (actor{&w, &b.threads[0]}.load(w.m->flag, acquires ? acquire(scope::gpu) : relaxed(scope::gpu)) != 1) {}
      w.model.end_block(b);
      w.model.end_grid(second);
    }
    emulator::grid third;
    emulator::resident_block b;
    begin_second(w, third, b);
    actor{&w, &b.threads[0]}.store(w.m->x, 2);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty() == acquires);
  }
}

BOOST_AUTO_TEST_CASE(different_sizes_of_one_object_race) {
  world w(1);
  w(0, 0).store(w.m->wide, 1ll, relaxed(scope::gpu));
  w(1, 0).load(reinterpret_cast<int&>(w.m->wide), relaxed(scope::gpu));
  BOOST_TEST(w.has("race", "differ in address or size"));
}

BOOST_AUTO_TEST_CASE(adjacent_bytes_do_not_conflict) {
  world w(1);
  auto* const bytes = reinterpret_cast<unsigned char*>(w.m->array);
  for (int i = 0; i < 4; ++i) w(i, 0).store(bytes[i], static_cast<unsigned char>(i));
  for (int i = 0; i < 4; ++i) w(i, 0).load(bytes[i]);
  BOOST_TEST(w.findings.empty());
  w(0, 0).load(w.m->array[0]);
  BOOST_TEST(w.has("race"));
}

BOOST_AUTO_TEST_CASE(neighbours_in_the_word_of_an_atomic_object_do_not_race) {
  world w(1);
  auto* const bytes = reinterpret_cast<unsigned char*>(&w.m->flag);
  w(0, 0).store(w.m->x, 1);
  w(0, 0).add(w.m->flag, 1, release(scope::gpu)); // byte 0 is the object
  w(1, 0).store(bytes[1], static_cast<unsigned char>(7));
  BOOST_TEST(w(2, 0).add(w.m->flag, 0, acquire(scope::gpu)) == 0x701);
  w(2, 0).load(w.m->x);
  w(2, 0).add(w.m->flag, 1, relaxed(scope::gpu));
  w(1, 0).load(bytes[1]);
  BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
  w(1, 0).load(bytes[0]);
  BOOST_TEST(w.has("race"));
}

BOOST_AUTO_TEST_CASE(the_host_passes_on_what_it_acquired) {
  for (bool managed : {true, false}) {
    world w(1);
    int flag = 0;
    w.model.allocated(reinterpret_cast<std::byte*>(&flag), 4, managed ? "managed memory" : "device memory");
    // If the host can write at any time, it may have done so before any thread read.
    if (!managed) BOOST_TEST(w(2, 0).load(flag, acquire(scope::sys)) == 0);
    w(0, 0).store(w.m->x, 1);
    w(0, 0).store(w.m->y, 1, release(scope::sys));
    flag = 1;
    BOOST_TEST(w(2, 0).load(flag, acquire(scope::sys)) == 1);
    w(2, 0).load(w.m->x);
    BOOST_TEST_CONTEXT(w.texts()) BOOST_TEST(w.findings.empty());
  }
}

BOOST_AUTO_TEST_CASE(the_host_does_not_pass_on_what_was_not_released_to_it) {
  for (order insufficient : {relaxed(scope::sys), release(scope::gpu)}) {
    world w(1);
    int flag = 0;
    w.model.allocated(reinterpret_cast<std::byte*>(&flag), 4, "mapped memory");
    w(0, 0).store(w.m->x, 1);
    w(0, 0).store(w.m->y, 1, insufficient);
    flag = 1;
    w(2, 0).load(flag, acquire(scope::sys));
    w(2, 0).load(w.m->x);
    BOOST_TEST(w.has("race"));
  }
}

BOOST_AUTO_TEST_CASE(a_location_that_only_device_threads_use_publishes_nothing_else) {
  world w(1);
  w(0, 0).store(w.m->x, 1);
  w(0, 0).store(w.m->y, 1, release(scope::sys));
  w(2, 0).add(w.m->z, 1, acq_rel(scope::sys)); // another location
  w(2, 0).load(w.m->flag, acquire(scope::sys));
  w(2, 0).load(w.m->x);
  BOOST_TEST(w.has("race"));
}

BOOST_AUTO_TEST_CASE(writes_by_the_host_are_read) {
  world w(1);
  w(3, 0).store(w.m->z, 1, relaxed(scope::gpu));
  w.m->z = 5;
  BOOST_TEST(w(2, 0).load(w.m->z, relaxed(scope::gpu)) == 5);
  BOOST_TEST(w(2, 0).add(w.m->z, 1, relaxed(scope::gpu)) == 5);
  BOOST_TEST(w.m->z == 6);
}

BOOST_AUTO_TEST_SUITE_END()
