// SPDX-License-Identifier: Apache-2.0
//
// regions: see the header.
#include "regions.hpp"

namespace emulator::check {

region& regions::add(std::uintptr_t start, std::size_t size, std::string name) {
  auto i = all_.upper_bound(start);
  if (i != all_.begin() && std::prev(i)->second.end() > start) --i;
  while (i != all_.end() && i->first < start + size) i = all_.erase(i);
  last_ = nullptr;
  return all_.insert_or_assign(start, region{start, size, std::move(name)}).first->second;
}

region const* regions::remove(std::uintptr_t start) {
  auto const found = all_.find(start);
  if (found == all_.end()) return nullptr;
  found->second.is_gone = true;
  found->second.written.forget();
  return &found->second;
}

region* regions::holding(std::uintptr_t address) {
  if (last_ && address - last_->start < last_->size) return last_;
  auto i = all_.upper_bound(address);
  if (i == all_.begin()) return nullptr;
  region& r = std::prev(i)->second;
  return address - r.start < r.size ? last_ = &r : nullptr;
}

region const* regions::before(std::uintptr_t address) const {
  auto const i = all_.upper_bound(address);
  return i == all_.begin() ? nullptr : &std::prev(i)->second;
}

void regions::forget_gone() {
  std::erase_if(all_, [](auto const& r) { return r.second.is_gone; });
  last_ = nullptr;
}

} // namespace emulator::check
