#include <cstdio>
#include <string>
import cudax.sync;
import cudax.sync.host;
import scale;

// A BMI is that of the side and the SM.
#if defined(__CUDA_ARCH__)
static_assert(sm() == __CUDA_ARCH__ / 10);
#else
static_assert(sm() == 0);
#endif

int main() {
  if (!cudax::no_device_reason().empty()) return 77;
  auto const values = cudax::make_managed<int[]>(4);
  auto const threads = cudax::make_managed<cudax::atomic<int>>(0);
  for (int i = 0; i < 4; ++i) values[i] = i;
  launch_scale(values.device_pointer(), threads.device_pointer(), 4);     // 3 i + 1: 1 4 7 10
  scale<<<1, 1>>>(values.device_pointer(), threads.device_pointer());     // 4 4 7 10
  scale_all<<<1, 4>>>(values.device_pointer(), threads.device_pointer()); // 3 times in reverse order
  cudaError_t const error = cudaDeviceSynchronize();
  std::printf("modules: %d %d %d %d (%s)\n", values[0], values[1], values[2], values[3], cudaGetErrorString(error));
  bool const is_scaled = values[0] == 30 && values[1] == 21 && values[2] == 12 && values[3] == 12;
  return is_scaled && threads->load() == 9 ? 0 : 1;
}
