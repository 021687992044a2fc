#include <cstdio>
#include <vector>
import cudax.sync;
import cudax.sync.host;

int main() {
  cudax::atomic<int> count = 41;
  count.fetch_add(1);
  std::printf("plain C++: %d, %zu devices\n", count.load(), cudax::devices().size());
  return count.load() == 42 ? 0 : 1;
}
