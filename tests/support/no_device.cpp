// SPDX-License-Identifier: Apache-2.0
//
// no_device: programs in plain C++ have no device tests.
namespace cudax_test {

char const* device_missing() { return "this program is plain C++"; }

} // namespace cudax_test
