#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gxr/gxr.hpp>

namespace live {

/// An even number.
struct Even {
  std::int64_t number = 0;
};

}  // namespace live

template <>
struct gxr::ParameterTraits<live::Even> {
  using Number = gxr::ParameterTraits<std::int64_t>;
  static gxr::ParameterType type() { return Number::type(); }
  static live::Even parse(const gxr::Value& value, gxr::ParameterContext& context) {
    const live::Even even{Number::parse(value, context)};
    if (even.number % 2 != 0) {
      throw gxr::Error(gxr::ErrorCode::OutOfRange, std::to_string(even.number) + " is odd");
    }
    return even;
  }
  static std::string to_yaml(const live::Even& value) { return Number::to_yaml(value.number); }
};

namespace live {

/// Fails when its parameters are of different assignments, or change in a tick.
class Pair final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(first_, "first", "A number").default_value(0).range(0, 1000).dynamic();
    interface.parameter(second_, "second", "The same number")
        .default_value(0)
        .range(0, 1000)
        .dynamic();
    interface.parameter(list_, "list", "Empty, or the same number twice")
        .default_value({})
        .range(0, 1000)
        .dynamic();
    interface.parameter(even_, "even", "An even number").default_value({}).dynamic();
    interface.parameter(last_, "last", "Number that interrupts the application")
        .default_value(1000);
  }
  void start() override { check(); }
  void tick() override {
    const std::int64_t before = *first_;
    std::this_thread::yield();
    check();
    if (before != *first_) {
      throw gxr::Error(gxr::ErrorCode::Failure, "a number changed in a tick");
    }
    if (before == *last_) {
      context().interrupt();
    }
  }

 private:
  void check() const {
    if (*first_ != *second_ ||
        (!list_->empty() && *list_ != std::vector<std::int64_t>{*first_, *first_})) {
      throw gxr::Error(gxr::ErrorCode::Failure, "numbers of different assignments");
    }
  }

  gxr::Parameter<std::int64_t> first_;
  gxr::Parameter<std::int64_t> second_;
  gxr::Parameter<std::vector<std::int64_t>> list_;
  gxr::Parameter<Even> even_;
  gxr::Parameter<std::int64_t> last_;
};

/// Has a thread from start() to stop(), and notes in a file what was called.
class Porter final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(file_, "file", "Where the calls are noted");
    interface.parameter(fails_in_tick_, "fails_in_tick", "Whether tick() throws")
        .default_value(false);
  }
  void start() override {
    thread_ = std::thread([this] {
      while (!ends_.load()) {
        std::this_thread::yield();
      }
    });
    note("start");
  }
  void tick() override {
    if (*fails_in_tick_) {
      throw gxr::Error("fails as told");
    }
  }
  void stop() override {
    ends_.store(true);
    thread_.join();
    note("stop");
  }
  void deinitialize() override { note("deinitialize"); }

 private:
  void note(const char* call) const { std::ofstream(*file_, std::ios::app) << call << ' '; }

  gxr::Parameter<std::string> file_;
  gxr::Parameter<bool> fails_in_tick_;
  std::thread thread_;
  std::atomic<bool> ends_{false};
};

/// Ticks as often as it may, and logs how far apart its ticks were: the longest by the steady clock
/// and in the time of its thread, which other processes do not lengthen, and how many of those took
/// more than 30 us, and than 100 us. The first second does not count.
class Gaps final : public gxr::Codelet {
 public:
  void tick() override {
    const std::int64_t steady = now(CLOCK_MONOTONIC);
    const std::int64_t thread = now(CLOCK_THREAD_CPUTIME_ID);
    begin_ = begin_ == 0 ? steady : begin_;
    if (steady - begin_ > 1'000'000'000) {
      longest_ = std::max(longest_, steady - steady_);
      longest_in_thread_ = std::max(longest_in_thread_, thread - thread_);
      over_30_us_ += thread - thread_ > 30'000 ? 1 : 0;
      over_100_us_ += thread - thread_ > 100'000 ? 1 : 0;
    }
    steady_ = steady;
    thread_ = thread;
  }
  void stop() override {
    log_info("longest gap " + std::to_string(longest_) + " ns, in the thread " +
             std::to_string(longest_in_thread_) + " ns; " + std::to_string(over_30_us_) +
             " over 30 us, " + std::to_string(over_100_us_) + " over 100 us, in " +
             std::to_string(steady_ - begin_) + " ns");
  }

 private:
  static std::int64_t now(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }

  std::int64_t begin_ = 0;
  std::int64_t steady_ = 0;
  std::int64_t thread_ = 0;
  std::int64_t longest_ = 0;
  std::int64_t longest_in_thread_ = 0;
  std::int64_t over_30_us_ = 0;
  std::int64_t over_100_us_ = 0;
};

/// Something with a parameter that is no codelet.
class Setting final : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(level_, "level", "A number").default_value(0).dynamic();
  }

 private:
  gxr::Parameter<std::int64_t> level_;
};

/// Refers to a Setting.
class Reader final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(setting_, "setting", "A setting").dynamic();
    interface.parameter(other_, "other", "Another one, or none").optional().dynamic();
  }
  void tick() override { static_cast<void>(setting_->full_name()); }

 private:
  gxr::Parameter<gxr::Handle<Setting>> setting_;
  gxr::Parameter<gxr::Handle<Setting>> other_;
};

/// A part of a CUDA graph; writes some numbers.
class Operator final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors to look at").optional();
    interface.output(out_, "out", "Tensors");
    interface.parameter(value_, "value", "What they are full of").default_value(0).dynamic();
    interface.parameter(size_, "size", "Numbers of a tensor").default_value(4);
    interface.parameter(passes_, "passes", "Whether it passes its input on while it is off")
        .default_value(false);
  }
  void tick() override {}
  void infer(gxr::ShapeContext& context) override {
    context.set_output(out_, {{*size_}, gxr::ElementType::Int32, 0, {}});
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    gxr::GraphTraits traits;
    traits.pass_through = *passes_;
    return traits;
  }
  void capture(gxr::CaptureContext& /*context*/) override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "is not for GPUs");
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<std::int64_t> value_;
  gxr::Parameter<std::int32_t> size_;
  gxr::Parameter<bool> passes_;
};

}  // namespace live

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<live::Pair>("Looks whether its parameters belong together");
  extension.add<live::Porter>("Has a thread from start() to stop()");
  extension.add<live::Gaps>("Measures the time between its ticks");
  extension.add<live::Setting>("Has a parameter and never runs");
  extension.add<live::Reader>("Refers to a setting");
  extension.add<live::Operator>("Can be a part of a graph");
}
