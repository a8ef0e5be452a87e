#include <random>

#include "waiting.hpp"

namespace test {

void Punctual::declare(gxr::Interface& interface) {
  interface.parameter(term_, "term", "Term of the entity that hears of the events");
  interface.parameter(clock_, "clock", "Clock of the scheduler, on which other threads sleep");
  interface.parameter(events_, "events", "Events to make").default_value(100000);
}

void Punctual::start() {
  term_->set_event_state(gxr::AsynchronousEventState::EventWaiting);
  sleeper_ = std::thread([this] { sleep_on_clock(); });
  maker_ = std::thread([this] { make_events(); });
}

void Punctual::make_events() {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> delay_ns(0, 1000);
  const auto end = Steady::now() + std::chrono::seconds(8);  // on a machine that is busy
  for (std::int64_t i = 0; i < *events_ && !ending_ && Steady::now() < end; ++i) {
    const auto until = Steady::now() + std::chrono::nanoseconds(delay_ns(random));
    while (Steady::now() < until) {
    }
    made_ = Steady::now().time_since_epoch().count();
    term_->set_event_state(gxr::AsynchronousEventState::EventDone);
    while (ticks_ <= i && !ending_) {  // sleeping would take longer than the delay
      std::this_thread::yield();
    }
  }
  term_->set_event_state(gxr::AsynchronousEventState::EventNever);
}

void Punctual::sleep_on_clock() {
  while (!ending_) {
    clock_->sleep_for(100'000'000);
  }
}

void Punctual::tick() {
  constexpr std::chrono::milliseconds kLate{500};
  const Steady::duration late = Steady::now().time_since_epoch() - Steady::duration(made_);
  term_->set_event_state(gxr::AsynchronousEventState::EventWaiting);
  ++ticks_;
  if (late > kLate) {
    throw gxr::Error(gxr::ErrorCode::Failure,
                     "event " + std::to_string(execution_count()) + " was heard of after " +
                         std::to_string(late / std::chrono::milliseconds(1)) + " ms");
  }
}

void Punctual::stop() {
  ending_ = true;
  maker_.join();
  sleeper_.join();
}

}  // namespace test
