#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>

#include <gxr/gxr.hpp>
#include <gxr/plain_text.hpp>

namespace guide {

/// Stands for a driver: calls back from a thread of its own, a few times, then closes.
class Device {
 public:
  void open(std::function<void(double)> on_reading, std::function<void()> on_close) {
    thread_ = std::thread([read = std::move(on_reading), close = std::move(on_close)] {
      for (const double celsius : {20.5, 21.0, 21.5}) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        read(celsius);
      }
      close();
    });
  }
  /// Returns when no callback runs, and none will.
  void close() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }

 private:
  std::thread thread_;
};

/// Publishes what the device reads, one reading a tick. Its entity waits without polling.
class Thermometer final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Degrees Celsius").named("celsius");
    interface.parameter(term_, "term", "Waits for the device; of the same entity");
  }

  void start() override {
    change([] {});
    device_.open([this](double celsius) { change([&] { readings_.push(celsius); }); },
                 [this] { change([&] { is_open_ = false; }); });
  }

  void tick() override {
    double celsius = 0;
    change([&] {
      celsius = readings_.front();
      readings_.pop();
    });
    gxr::Message message = context().new_message();
    message.add<double>("celsius", celsius);
    out_.publish(std::move(message), execution_timestamp());
  }

  void stop() override { device_.close(); }

 private:
  /// Callable from any thread. One lock for the readings and what the term says of them.
  template <class Change>
  void change(const Change& make) {
    using gxr::AsynchronousEventState;
    const std::lock_guard lock(mutex_);
    make();
    term_->set_event_state(!readings_.empty() ? AsynchronousEventState::EventDone
                           : is_open_         ? AsynchronousEventState::EventWaiting
                                              : AsynchronousEventState::EventNever);
  }

  gxr::Output<double> out_;
  gxr::Parameter<gxr::Handle<gxr::AsynchronousSchedulingTerm>> term_;
  Device device_;
  std::mutex mutex_;  // guards the members below
  std::queue<double> readings_;
  bool is_open_ = true;
};

/// Logs temperatures.
class Display final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Degrees Celsius").named("celsius");
  }
  void tick() override {
    log_info(gxr::shortest_text(in_.receive().get<double>("celsius")) + " degrees");
  }

 private:
  gxr::Input<double> in_;
};

}  // namespace guide
