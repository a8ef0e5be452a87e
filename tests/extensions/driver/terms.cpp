#include <chrono>
#include <utility>

#include "driver.hpp"

namespace driver {

void ClockMover::declare(Interface& interface) {
  interface.parameter(clock_, "clock", "Clock to move");
  interface.parameter(step_, "step", "By so many ns");
}

void ClockMover::tick() {
  log_info("it is " + std::to_string(clock_->timestamp()) + " ns");
  clock_->advance_by(*step_);
}

void AsyncWorker::declare(Interface& interface) {
  interface.parameter(term_, "term", "Term of this entity");
  interface.parameter(ticks_, "ticks", "Ticks after which there is no other event");
  interface.parameter(from_outside_, "from_outside", "Waits with EventWaiting; else with Wait")
      .default_value(true);
}

void AsyncWorker::tick() {
  using State = gxr::AsynchronousEventState;
  log_info("tick " + std::to_string(execution_count()));
  if (thread_.joinable()) {
    thread_.join();
  }
  if (execution_count() == *ticks_) {
    term_->set_event_state(State::EventNever);
    return;
  }
  term_->set_event_state(*from_outside_ ? State::EventWaiting : State::Wait);
  if (*from_outside_) {
    thread_ = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      term_->set_event_state(State::EventDone);
    });
  }
}

void AsyncWorker::stop() {
  if (thread_.joinable()) {
    thread_.join();
  }
}

void TargetSetter::declare(Interface& interface) {
  interface.parameter(term_, "term", "Term to set");
  interface.parameter(times_, "times", "Target times, ns");
}

void TargetSetter::tick() {
  const auto index = static_cast<std::size_t>(execution_count() - 1);
  log_info("tick " + std::to_string(execution_count()) + " at " +
           std::to_string(execution_timestamp()) + " ns");
  if (index < times_->size()) {
    term_->set_next_target_time((*times_)[index]);
  }
}

void TreeParent::declare(Interface& interface) {
  interface.parameter(child_, "child", "Term of the other entity");
  interface.parameter(last_, "last", "Tick that ends the other entity");
}

void TreeParent::tick() {
  log_info("tick " + std::to_string(execution_count()));
  if (execution_count() == 2) {
    child_->set_condition(gxr::ConditionType::Ready);
  } else if (execution_count() == *last_) {
    child_->set_condition(gxr::ConditionType::Never);
  }
}

void VaultReader::declare(Interface& interface) {
  interface.parameter(vault_, "vault", "Where the messages are");
  interface.parameter(count_, "count", "Messages to take at a time");
  interface.parameter(use_callback_, "use_callback", "Take them in a callback")
      .default_value(false);
  interface.parameter(blocking_, "blocking", "Wait for them").default_value(true);
}

void VaultReader::initialize() {
  if (*use_callback_) {
    vault_->set_callback([this](gxr::Vault& vault) {
      for (const gxr::Message& message : vault.take(*count_)) {
        text_ += " " + std::to_string(message.get<std::int32_t>("number"));
      }
    });
  }
}

void VaultReader::start() {
  if (*use_callback_) {
    return;
  }
  if (!*blocking_) {
    text_ += vault_->take_blocking_for(*count_, 1000).empty() ? " nothing, then" : " too early";
  }
  thread_ = std::thread([this] {
    std::vector<gxr::Message> messages = *blocking_
                                             ? vault_->take_blocking(*count_)
                                             : vault_->take_blocking_for(*count_, 60'000'000'000);
    for (const gxr::Message& message : messages) {
      text_ += " " + std::to_string(message.get<std::int32_t>("number"));
    }
  });
}

void VaultReader::deinitialize() {
  if (thread_.joinable()) {
    thread_.join();
  }
  log_info("took" + text_ + ", left " + std::to_string(vault_->waiting()));
}

void Toggle::declare(Interface& interface) {
  interface.parameter(own_, "own", "Term that is switched off");
  interface.parameter(other_, "other", "Term that is switched on");
  interface.parameter(count_, "count", "Ticks after which the application is interrupted");
}

void Toggle::tick() {
  own_->disable_tick();
  other_->enable_tick();
  if (execution_count() == *count_) {
    context().interrupt();
  }
}

void Sleeper::declare(Interface& interface) {
  interface.parameter(clock_, "clock", "Clock to sleep on");
  interface.parameter(duration_, "duration", "How long");
}

void Sleeper::tick() {
  const std::int64_t begin = clock_->timestamp();
  log_info("sleeps");
  clock_->sleep_for(duration_->nanoseconds);
  const bool slept = clock_->timestamp() - begin >= duration_->nanoseconds;
  log_info(slept ? "has slept" : "was woken");
}

}  // namespace driver
