#include <cstdio>
#include <cudax/as_cuda.hpp> // the library under libcu++'s names
#include <vector>
import cudax.sync.host;

int main() {
  cuda::std::atomic<int> count = 41;
  count.fetch_add(1);
  std::printf("plain C++: %d, %zu devices\n", count.load(), cudax::devices().size());
  return count.load() == 42 ? 0 : 1;
}
