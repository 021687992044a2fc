// SPDX-License-Identifier: Apache-2.0
//
// empty: the cost of a CUDA translation unit that uses nothing.
__global__ void nothing() {}

int main() {}
