#include "observe/file_size_signal.hpp"

#include <csignal>

#include "observe/own_signals.hpp"

namespace gxr {
namespace {

extern "C" void leave_it_to_the_writer(int number) {
  static_cast<void>(leave_to_forked_process(number));
}

}  // namespace

void let_writes_fail_at_size_limit() noexcept {
  // A handler and not SIG_IGN, which programs that are executed later would inherit.
  struct sigaction action {};
  action.sa_handler = leave_it_to_the_writer;
  action.sa_flags = SA_RESTART;
  catch_signal(SIGXFSZ, action);
}

}  // namespace gxr
