#include <cstdio>
import cudax.sync;

int main() {
  cudax::atomic<int> count = 41;
  count.fetch_add(1);
  std::printf("plain C++: %d\n", count.load());
  return count.load() == 42 ? 0 : 1;
}
