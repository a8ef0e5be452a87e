#include "commands/signal_pipe.hpp"

#include <csignal>

#include "catch.hpp"

namespace {

using namespace gxr::commands;

TEST_CASE("signals are taken in their order, and the end is behind them") {
  SignalPipe pipe({SIGUSR1, SIGUSR2}, {});
  CHECK(!pipe.take());
  std::raise(SIGUSR1);
  std::raise(SIGUSR2);
  pipe.end();
  CHECK(pipe.has_ended());
  CHECK(pipe.take().value().number == SIGUSR1);
  CHECK(pipe.take().value().number == SIGUSR2);
  CHECK(pipe.take().value().number == 0);
  CHECK(!pipe.take());
}

TEST_CASE("a pipe full of signals that nobody takes keeps its end from nothing") {
  SignalPipe pipe({SIGUSR1}, {});
  for (int i = 0; i < 20'000; ++i) {  // more than a pipe has room for
    std::raise(SIGUSR1);
  }
  pipe.end();
  CHECK(pipe.has_ended());
  int taken = 0;
  while (const auto note = pipe.take()) {
    taken += note->number == SIGUSR1 ? 1 : 0;
  }
  CHECK(taken > 0);
  CHECK(taken < 20'000);
}

}  // namespace
