export module scale:factor;

/// Returns 3. Needs none of CUDA's declarations.
export __host__ __device__ __forceinline__ constexpr int factor() { return 3; }

/// Returns the SM for which the code is compiled, as 90 for sm_90; 0 for the host.
export __host__ __device__ constexpr int sm() {
#if defined(__CUDA_ARCH__)
  return __CUDA_ARCH__ / 10;
#else
  return 0;
#endif
}
