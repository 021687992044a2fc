// SPDX-License-Identifier: Apache-2.0
//
// empty: what a CUDA translation unit costs before it uses anything.
__global__ void nothing() {}

int main() {}
