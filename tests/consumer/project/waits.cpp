#include <thread>
import cudax.sync;

int main() {
  cudax::atomic<int, cudax::thread_scope_device> flag = 0;
  std::thread waiter([&] { flag.wait(0); });
  flag.store(1);
  flag.notify_all();
  waiter.join();
}
