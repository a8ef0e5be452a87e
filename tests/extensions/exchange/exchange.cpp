#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gxr/gxr.hpp>

namespace exchange {

using Number = gxr::Parameter<std::int64_t>;

gxr::Error failure(const std::string& text) { return {gxr::ErrorCode::Failure, text}; }

/// Publishes running numbers, and interrupts the application when it is told to, or behind the
/// last one.
class Source final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Numbers from 1 on");
    interface.parameter(last_, "last", "Behind this number, nothing comes").default_value(0);
    interface.parameter(ends_, "ends", "Interrupts the application").default_value(false).dynamic();
  }
  void tick() override {
    if (*ends_) {
      context().interrupt();
      return;
    }
    if (*last_ == 0 || number_ < *last_) {
      gxr::Message message = context().new_message();
      message.add<std::int64_t>("number", ++number_);
      out_.publish(std::move(message));
    }
  }

 private:
  gxr::Output<> out_;
  Number last_;
  gxr::Parameter<bool> ends_;
  std::int64_t number_ = 0;
};

/// Passes messages on.
class Pass : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same");
    interface.parameter(gain_, "gain", "A number").default_value(1).range(0, 100).dynamic();
  }
  void tick() override { out_.publish(in_.receive()); }

 protected:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Number gain_;
};

/// The same by another name.
class Other final : public Pass {};

/// Needs what a Pass has not.
class Demanding final : public Pass {
 public:
  void declare(gxr::Interface& interface) override {
    Pass::declare(interface);
    interface.parameter(must_, "must", "Something without a default");
  }

 private:
  Number must_;
};

/// Has no parameter `gain`.
class Plain final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same");
  }
  void tick() override { out_.publish(in_.receive()); }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
};

/// Fails at its n-th tick, after it has taken its message.
class Fails final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same");
    interface.parameter(gain_, "gain", "A number").default_value(1).dynamic();
    interface.parameter(at_, "at", "Fails at this tick").default_value(1);
  }
  void tick() override {
    gxr::Message message = in_.receive();
    if (execution_count() == *at_) {
      throw failure("fails as told");
    }
    out_.publish(std::move(message));
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Number gain_;
  Number at_;
};

/// Cannot be started.
class NoStart final : public Pass {
 public:
  void start() override { throw failure("start fails as told"); }
};

/// Makes a message in start().
class Early final : public Pass {
 public:
  void start() override { static_cast<void>(context().new_message()); }
};

std::atomic<int> devices{0};

/// Holds a device that nobody else may hold.
class Exclusive : public Pass {
 public:
  void start() override {
    if (devices.fetch_add(1) != 0) {
      devices.fetch_sub(1);
      throw failure("the device is held");
    }
  }
  void stop() override { devices.fetch_sub(1); }
  [[nodiscard]] bool is_exclusive() const override { return true; }
};

class ExclusiveNoStart final : public Exclusive {
 public:
  void start() override {
    Exclusive::start();
    stop();
    throw failure("start fails as told");
  }
};

class ExclusiveFails final : public Exclusive {
 public:
  void tick() override {
    static_cast<void>(in_.receive());
    throw failure("fails as told");
  }
};

/// Counts what it passes on, also over exchanges, and fails when a count is not its number.
class Counts : public Pass {
 public:
  void tick() override {
    gxr::Message message = in_.receive();
    if (message.get<std::int64_t>("number") != ++count_) {
      throw failure("the count is " + std::to_string(count_));
    }
    out_.publish(std::move(message));
  }
  [[nodiscard]] gxr::StateType state_type() const override { return {"exchange::Count", 1}; }
  [[nodiscard]] std::vector<std::byte> save_state() const override {
    std::vector<std::byte> bytes(sizeof(count_));
    std::memcpy(bytes.data(), &count_, sizeof(count_));
    return bytes;
  }
  void load_state(std::span<const std::byte> state, std::uint32_t version) override {
    if (version != 1 || state.size() != sizeof(count_)) {
      throw gxr::Error(gxr::ErrorCode::Incompatible,
                       "a count of version " + std::to_string(version) + " cannot be read");
    }
    std::memcpy(&count_, state.data(), sizeof(count_));
  }

 private:
  std::int64_t count_ = 0;
};

class CountsToo final : public Counts {};

/// Writes counts that the others cannot read.
class CountsNewly final : public Counts {
 public:
  [[nodiscard]] gxr::StateType state_type() const override { return {"exchange::Count", 2}; }
  void load_state(std::span<const std::byte> state, std::uint32_t version) override {
    if (version == 1) {
      throw gxr::Error(gxr::ErrorCode::Incompatible, "a count of version 1 cannot be read");
    }
    Counts::load_state(state, 1);
  }
};

/// Passes messages on, and counts those of this build of the extension.
class Build final : public Pass {
 public:
  void start() override { log_info("build " + std::to_string(EXCHANGE_BUILD)); }
};

/// Fails unless each number follows the one before, by `step` at most, and tells how many came.
class Check final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Numbers");
    interface.parameter(step_, "step", "Most numbers from one to the next").default_value(1);
  }
  void tick() override {
    const std::int64_t number = in_.receive().get<std::int64_t>("number");
    if (number <= number_ || number > number_ + *step_) {
      throw failure(std::to_string(number) + " follows " + std::to_string(number_));
    }
    number_ = number;
  }
  void stop() override { log_info("last number " + std::to_string(number_)); }

 private:
  gxr::Input<> in_;
  Number step_;
  std::int64_t number_ = 0;
};

}  // namespace exchange

extern "C" void gxr_extension(gxr::Extension& extension) {
  using namespace exchange;
  extension.add<Source>("Publishes running numbers");
  extension.add<Pass>("Passes messages on");
  extension.add<Other>("Does the same");
  extension.add<Demanding>("Needs a parameter more");
  extension.add<Plain>("Has a parameter less");
  extension.add<Fails>("Fails in a tick");
  extension.add<NoStart>("Fails in start()");
  extension.add<Early>("Makes a message in start()");
  extension.add<Exclusive>("Holds a device");
  extension.add<ExclusiveNoStart>("Holds a device, and fails in start()");
  extension.add<ExclusiveFails>("Holds a device, and fails in a tick");
  extension.add<Counts>("Counts messages");
  extension.add<CountsToo>("Goes on counting");
  extension.add<CountsNewly>("Counts in another format");
  extension.add<Build>("Says which build it is");
  extension.add<Check>("Checks the order of numbers");
}
