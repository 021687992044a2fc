// SPDX-License-Identifier: Apache-2.0
//
// no_device: device.cpp for programs in plain C++, which have no device tests.
namespace cudax_test {

char const* device_missing() { return "this program is plain C++"; }

} // namespace cudax_test
