module scale; // an implementation unit

__device__ int scaled(int value) { return factor() * value; }
