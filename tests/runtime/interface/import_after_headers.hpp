// SPDX-License-Identifier: Apache-2.0
//
// Both modules after many standard headers, as in a translation unit that uses everything. Included by a .cpp and by a
// .cu file; the tests call it.
#include "headers.hpp"
import cudax.sync;
import cudax.sync.host;

namespace cudax_test {

/// Names every exported entity of cudax.sync.host, together with the standard's own types. Returns whether all agree.
inline bool use_after_headers() {
  std::vector<cudax::device_info> const devices = cudax::devices();
  std::string const reason = cudax::no_device_reason();
  bool agrees = devices.empty() == !reason.empty();

  cudax::atomic<int> object = 1;
  std::error_code error;
  cudax::registered<cudax::atomic<int>> registered(object, error);
  cudax::mapped_ptr<int> mapped = cudax::try_make_mapped<int>(error, 1);
  cudax::managed_ptr<int[]> managed = cudax::try_make_managed<int[]>(error, 10);
  agrees &= bool(registered) == bool(mapped) && bool(mapped) == bool(managed) && bool(mapped) == reason.empty();
  agrees &= error.category() == cudax::cuda_category() || !error;
  try {
    auto const a = cudax::make_mapped<std::array<int, 4>>();
    auto const b = cudax::make_managed<std::complex<float>[]>(4);
    agrees &= reason.empty();
  } catch (cudax::cuda_error const& e) {
    std::optional<std::string> const what = e.what();
    agrees &= what->find(reason) != std::string::npos && !reason.empty();
  }
  std::function<int()> const load = [&] { return object.load(); };
  return agrees && load() == 1;
}

} // namespace cudax_test
