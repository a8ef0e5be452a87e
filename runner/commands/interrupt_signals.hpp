#pragma once

#include <functional>
#include <thread>

namespace gxr::commands {

/// From its construction to the end of the process SIGINT and SIGTERM do not kill: while it lives,
/// the first calls `stop` on a thread of its own, a later one (300 ms or more) ends the process at
/// once with exit code 130; afterwards the report is printed in peace. Make it before any other
/// thread, which then does not see the signals.
class InterruptSignals {
 public:
  /// gxe: SIGTERM kills as ever, a second SIGINT is only reported, and a third one kills.
  enum class Style { Gxr, Gxe };

  explicit InterruptSignals(std::function<void()> stop, Style style = Style::Gxr);
  InterruptSignals(const InterruptSignals&) = delete;
  InterruptSignals& operator=(const InterruptSignals&) = delete;
  ~InterruptSignals();

 private:
  void wait();

  std::function<void()> stop_;
  Style style_;
  int signals_ = -1;  // a signalfd
  int end_ = -1;      // an eventfd: the destructor asks the thread to end
  std::thread thread_;
};

}  // namespace gxr::commands
