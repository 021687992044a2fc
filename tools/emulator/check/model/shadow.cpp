// SPDX-License-Identifier: Apache-2.0
//
// shadow: see the header.
#include "shadow.hpp"

namespace emulator::check {

void word::forget(unsigned bytes) {
  auto const without = [bytes](mark& each) {
    each.bytes &= std::uint8_t(~bytes);
    return each.bytes == 0;
  };
  without(read);
  without(write);
  if (!rest) return;
  std::erase_if(rest->reads, without);
  std::erase_if(rest->writes, without);
  if (rest->reads.empty() && rest->writes.empty()) rest = nullptr;
}

void word::set_write(mark const& m) {
  forget(m.bytes);
  if (!write.bytes) return void(write = m);
  if (!rest) rest = std::make_unique<more>();
  rest->writes.push_back(m);
}

shadow::page* shadow::find_page(std::uintptr_t address) {
  std::uintptr_t const number = address / page_bytes;
  auto& recent = recent_[number % recent_.size()];
  if (recent.second && recent.first == number) return recent.second;
  auto const found = pages_.find(number);
  if (found == pages_.end()) return nullptr;
  recent = {number, found->second.get()};
  return recent.second;
}

shadow::page& shadow::page_of(std::uintptr_t address) {
  if (page* const found = find_page(address)) return *found;
  auto& made = pages_[address / page_bytes];
  made = std::make_unique<page>();
  return *made;
}

void shadow::forget(std::uintptr_t start, std::size_t size) {
  std::uintptr_t const end = start + size;
  for (std::uintptr_t a = start & ~std::uintptr_t(3); a < end;) {
    page* const p = find_page(a);
    std::uintptr_t const next = (a / page_bytes + 1) * page_bytes;
    if (p && a % page_bytes == 0 && next <= end) {
      pages_.erase(a / page_bytes);
      recent_[a / page_bytes % recent_.size()] = {};
    } else if (p) {
      for (; a < end && a < next; a += 4) {
        // The word may be another allocation's, too.
        unsigned const from = start > a ? unsigned(start - a) : 0, to = end - a < 4 ? unsigned(end - a) : 4;
        unsigned const bytes = (1u << to) - (1u << from);
        p->words[a % page_bytes / 4].forget(bytes);
        if (bytes == 15) p->has_messages[a % page_bytes / 4] = false;
      }
    }
    a = next;
  }
}

void shadow::clear() {
  pages_.clear();
  recent_ = {};
}

} // namespace emulator::check
