// SPDX-License-Identifier: Apache-2.0
//
// refused: 16-byte loads and stores are available for every SM; with EXCHANGE also a read-modify-write, which requires
// sm_90.
import cudax.sync;

struct alignas(16) wide {
  unsigned long long low, high;
};

__global__ void kernel(wide* object, wide* result) {
  cudax::atomic_ref<wide> reference(*object);
  *result = reference.load();
  reference.store(wide{1, 2});
#if defined(EXCHANGE)
  *result = reference.exchange(wide{3, 4});
#endif
}

int main() {}
