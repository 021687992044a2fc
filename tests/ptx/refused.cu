// SPDX-License-Identifier: Apache-2.0
//
// refused: 16-byte loads and stores are available for every SM; with EXCHANGE also a read-modify-write, which requires
// sm_90; with REGISTERS also a change of the number of registers, and with TENSOR_MAP of a tensor map, which require an
// SM with a letter; with TENSOR_CORE also an arrival of tensor cores, which requires sm_100a or sm_103a.
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
#if defined(REGISTERS)
  cudax::this_warpgroup.decrease_registers<24>();
#endif
#if defined(TENSOR_MAP)
  using tiles = cudax::tensor_map<float, cudax::tensor_box<8, 4>>;
  __shared__ alignas(128) tiles map;
  cudax::device::replace_tensor_map_extent<1>(map, 5);
#endif
#if defined(TENSOR_CORE)
  __shared__ cudax::barrier<cudax::thread_scope_block> barrier;
  cudax::device::tensor_core_commit(barrier);
#endif
}

int main() {}
