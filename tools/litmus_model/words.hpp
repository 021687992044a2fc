// SPDX-License-Identifier: Apache-2.0
//
// words: the names of the format, for both directions: parse reads them, print writes them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "program.hpp"

namespace litmus::words {

template <class T, std::size_t N>
using table = std::array<std::pair<std::string_view, T>, N>;

inline constexpr table<memory_kind, 4> memory_kinds{{{"global", memory_kind::global},
                                                     {"shared", memory_kind::shared},
                                                     {"mapped", memory_kind::mapped},
                                                     {"managed", memory_kind::managed}}};
inline constexpr table<order, 6> orders{{{"weak", order::weak},
                                         {"relaxed", order::relaxed},
                                         {"acquire", order::acquire},
                                         {"release", order::release},
                                         {"acq_rel", order::acq_rel},
                                         {"seq_cst", order::seq_cst}}};
inline constexpr table<scope, 5> scopes{{{"block", scope::block},
                                         {"cluster", scope::cluster},
                                         {"device", scope::device},
                                         {"system", scope::system},
                                         {"S", scope::narrowest}}};
inline constexpr table<level, 4> levels{
    {{"warp", level::warp}, {"block", level::block}, {"cluster", level::cluster}, {"grid", level::grid}}};
inline constexpr table<comparison, 6> comparisons{{{"==", comparison::equal},
                                                   {"!=", comparison::not_equal},
                                                   {"<=", comparison::less_equal},
                                                   {"<", comparison::less},
                                                   {">=", comparison::greater_equal},
                                                   {">", comparison::greater}}};
inline constexpr table<operation, 10> operations{{{"load", operation::load},
                                                  {"store", operation::store},
                                                  {"exchange", operation::exchange},
                                                  {"fetch_add", operation::fetch_add},
                                                  {"store_add", operation::store_add},
                                                  {"compare_exchange", operation::compare_exchange},
                                                  {"fence", operation::fence},
                                                  {"sync", operation::sync},
                                                  {"wait", operation::wait},
                                                  {"notify", operation::notify}}};
inline constexpr table<object_kind, 13> object_kinds{{{"latch", object_kind::latch},
                                                      {"barrier", object_kind::barrier},
                                                      {"semaphore", object_kind::semaphore},
                                                      {"fair_semaphore", object_kind::fair_semaphore},
                                                      {"mutex", object_kind::mutex},
                                                      {"ticket_mutex", object_kind::ticket_mutex},
                                                      {"cohort_mutex", object_kind::cohort_mutex},
                                                      {"shared_mutex", object_kind::shared_mutex},
                                                      {"once_flag", object_kind::once_flag},
                                                      {"stop_state", object_kind::stop_state},
                                                      {"pipeline", object_kind::pipeline},
                                                      {"map", object_kind::map},
                                                      {"work_queue", object_kind::work_queue}}};
inline constexpr table<member, 24> members{{{"count_down", member::count_down},
                                            {"wait", member::wait},
                                            {"arrive_and_wait", member::arrive_and_wait},
                                            {"try_wait", member::try_wait},
                                            {"arrive", member::arrive},
                                            {"release", member::release},
                                            {"acquire", member::acquire},
                                            {"try_acquire", member::try_acquire},
                                            {"lock", member::lock},
                                            {"unlock", member::unlock},
                                            {"try_lock", member::try_lock},
                                            {"lock_shared", member::lock_shared},
                                            {"unlock_shared", member::unlock_shared},
                                            {"enter", member::enter},
                                            {"leave", member::leave},
                                            {"request_stop", member::request_stop},
                                            {"stop_requested", member::stop_requested},
                                            {"producer_acquire", member::producer_acquire},
                                            {"producer_commit", member::producer_commit},
                                            {"consumer_wait", member::consumer_wait},
                                            {"consumer_release", member::consumer_release},
                                            {"insert", member::insert},
                                            {"find", member::find},
                                            {"take", member::take}}};

template <class T, std::size_t N>
constexpr std::optional<T> find(table<T, N> const& all, std::string_view word) {
  for (auto const& [name, entry] : all)
    if (name == word) return entry;
  return std::nullopt;
}

template <class T, std::size_t N>
constexpr std::string_view name(table<T, N> const& all, T entry) {
  for (auto const& [name, candidate] : all)
    if (candidate == entry) return name;
  return "?";
}

/// "global, shared, mapped or managed".
template <class T, std::size_t N>
std::string list(table<T, N> const& all) {
  std::string text;
  for (std::size_t i = 0; i < N; ++i) text += (i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(all[i].first);
  return text;
}

} // namespace litmus::words
