// SPDX-License-Identifier: Apache-2.0
//
// faults: fail() throws through the handlers, which are ordinary functions. A signal cannot: it jumps back to where the
// turn began (siglongjmp), past the frames of handlers; so a handler holds no lock and owns no memory while it accesses
// memory of the program.
#include "faults.hpp"
#include "../ptx/parse.hpp"
#include "../ptx/source_lines.hpp"
#include "grid.hpp"
#include "program.hpp"
#include "readable_name.hpp"
#include "waiters.hpp"
#include "watch.hpp"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace emulator {
namespace {

struct launch_fault {
  fault reason;
};

struct turn_context {
  sigjmp_buf back;
  thread* volatile current = nullptr;
  bool volatile is_running = false;
  void* volatile address = nullptr;
  int volatile signal = 0;
};

// Present from the thread's start, so that a signal handler needs no memory to find it.
__attribute__((tls_model("initial-exec"))) thread_local turn_context* context = nullptr;

struct sigaction previous_segv, previous_bus;

void handle(int signal, siginfo_t* info, void* ucontext) {
  if (turn_context* const c = context; c && c->is_running) {
    c->is_running = false;
    c->address = info->si_addr;
    c->signal = signal;
    siglongjmp(c->back, 1);
  }
  struct sigaction const& previous = signal == SIGSEGV ? previous_segv : previous_bus;
  if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(signal, info, ucontext);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) return previous.sa_handler(signal);
  // The default: the instruction runs again and ends the process.
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
}

} // namespace

void install_signal_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_NODEFER; // the jump out of the handler would leave the signal blocked
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_segv);
    sigaction(SIGBUS, &action, &previous_bus);
  });
}

std::string describe(thread const& t) {
  std::string text = "kernel " + readable_name(t.block->grid->launch.kernel->name) + ", block " +
                     three(t.block->ctaid) + ", thread " + three(t.tid);
  if (!t.frame) return text + ": ";
  function const& f = *t.frame->function;
  std::size_t const index = std::size_t(t.pc - f.operations.data());
  if (index >= f.sources.size()) return text + ": ";
  ptx::module& module = f.program->module();
  ptx::source_location const at = f.sources[index]->at;
  if (f.source != t.block->grid->launch.kernel->source) text += ", in " + readable_name(f.name);
  text += ", " + module.name + ":" + std::to_string(at.line);
  if (std::string const source = ptx::source_with_callers(module, at); !source.empty()) text += " (" + source + ")";
  return text + ": " + ptx::print(module, *f.sources[index]) + ": ";
}

std::string describe_place(thread const& t, function const& f, operation const* o) {
  std::size_t const index = std::size_t(o - f.operations.data());
  if (!o || index >= f.sources.size()) return "its end";
  ptx::module& module = f.program->module();
  ptx::source_location const at = f.sources[index]->at;
  std::string where = module.name + ":" + std::to_string(at.line);
  if (std::string const source = ptx::source_with_callers(module, at); !source.empty()) where = source + "; " + where;
  if (f.source != t.block->grid->launch.kernel->source) where += ", in " + readable_name(f.name);
  return ptx::print(module, *f.sources[index]) + " (" + where + ")";
}

void fail(thread const& t, int error, std::string const& text) { throw launch_fault{{error, describe(t) + text}}; }

bool run_guarded(void (*f)(void* data, thread* volatile& current), void* data, fault& reason, thread** failed) {
  turn_context here;
  context = &here;
  struct reset {
    ~reset() { context = nullptr; }
  } const at_end;
  if (sigsetjmp(here.back, 0) == 0) {
    try {
      here.is_running = true;
      f(data, here.current);
      here.is_running = false;
      return true;
    } catch (launch_fault const& error) {
      here.is_running = false;
      reason = error.reason;
      if (failed) *failed = here.current;
      return false;
    }
  }
  char text[100];
  std::snprintf(text, sizeof text, "an access to memory that is not there, at address %p", here.address);
  reason = {700, describe(*here.current) + text};
  if (failed) *failed = here.current;
  return false;
}

turn_result run_turn_guarded(resident_block& b, fault& reason) {
  struct turn {
    resident_block& block;
    turn_result result = turn_result::ended;
  } t{b};
  bool const succeeded = run_guarded(
      [](void* data, thread* volatile& current) {
        turn& t = *static_cast<turn*>(data);
        t.result = run_turn(t.block, current);
      },
      &t, reason);
  if (!succeeded) return turn_result::ended;
  watch(b, t.result);
  return t.result;
}

} // namespace emulator
