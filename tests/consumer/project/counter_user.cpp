#include <cstdio>

int counted_to_1000();

int main() {
  int const count = counted_to_1000();
  std::printf("shared library: %d\n", count);
  return count == 1000 ? 0 : 1;
}
