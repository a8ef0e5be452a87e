// The ends of a bridge on the CPU: messages in, messages out, none lost, and how long they took.

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "gxr/gxr.hpp"
#include "gxr/host_copy.hpp"
#include "latency.hpp"
#include "marks.hpp"

namespace bridge {

/// Bounds how many messages are on their way: its entity ticks while there are fewer.
class Window final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(in_flight_, "in_flight", "Messages on their way at once")
        .default_value(1)
        .minimum(1);
  }
  /// One of them has arrived. From the codelet that takes them.
  void arrived() {
    ++arrived_;
    context().notify(*this);
  }

  gxr::Condition check(std::int64_t) override {
    const bool open = sent_ - arrived_ < *in_flight_;
    return {open ? gxr::ConditionType::Ready : gxr::ConditionType::Wait, 0};
  }
  void on_execute(std::int64_t) override { ++sent_; }
  void events(gxr::TermEvents& events) override { events.notification(); }
  [[nodiscard]] std::string explain() const override {
    return std::to_string(sent_ - arrived_) + " messages have not arrived";
  }

 private:
  gxr::Parameter<std::int64_t> in_flight_;
  std::atomic<std::int64_t> sent_{0};
  std::atomic<std::int64_t> arrived_{0};
};

/// Publishes tensors that carry their number, from 1.
class Feeder final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Tensors of int32");
    interface.parameter(pool_, "pool", "Gives their memory");
    interface.parameter(bytes_, "bytes", "Of each").default_value(4096).minimum(8);
    interface.parameter(storage_, "storage", "What memory")
        .default_value("host")
        .choices({{"host", "page-locked memory, for a GPU"}, {"system", "the heap"}});
    interface.parameter(idle_us_, "idle_us", "Wait before each message, without giving way")
        .default_value(0)
        .unit("us");
  }
  void tick() override {
    gxr::Message message = context().new_message();
    const std::int32_t count = *bytes_ / 4;
    auto& tensor = message.add<gxr::Tensor>();
    tensor.allocate<std::int32_t>(
        *pool_.get(), {count},
        *storage_ == "host" ? gxr::MemoryStorageType::Host : gxr::MemoryStorageType::System);
    write_marks(tensor.data<std::int32_t>(), static_cast<std::size_t>(count),
                static_cast<std::int32_t>(execution_count()));
    for (const std::int64_t until = now_ns() + *idle_us_ * 1000; now_ns() < until;) {
    }
    message.set_sequence(static_cast<std::uint64_t>(execution_count()));
    message.set_source_time(now_ns());
    out_.publish(std::move(message));
  }

 private:
  gxr::Output<> out_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> pool_;
  gxr::Parameter<std::int32_t> bytes_;
  gxr::Parameter<std::string> storage_;
  gxr::Parameter<std::int64_t> idle_us_;
};

/// Takes what a Feeder sent: each message once, in order, with `added` added to each element.
class Taker final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32");
    interface.parameter(window_, "window", "What lets the next message go").optional();
    interface.parameter(added_, "added", "What was added on the way").default_value(1);
    interface.parameter(messages_, "messages", "How many there must have been in the end; 0: any")
        .default_value(0)
        .minimum(0);
    interface.parameter(result_, "result", "File for the figures, JSON").optional();
  }
  void start() override {
    ns_.clear();
    taken_ = 0;
  }
  void tick() override {
    const gxr::Message message = in_.receive();
    const std::int64_t now = now_ns();
    ++taken_;
    check(message);
    if (taken_ == kWarmUp) {
      warm_ = now;
    } else if (taken_ > kWarmUp) {
      ns_.push_back(now - message.source_time());
    }
    last_ = now;
    if (window_.has_value()) {
      window_->arrived();
    }
  }
  void stop() override {
    if (*messages_ != 0 && taken_ != *messages_) {
      throw gxr::Error(
          gxr::ErrorCode::InvalidData,
          std::to_string(taken_) + " messages came, not " + std::to_string(*messages_));
    }
    log_info(std::to_string(taken_) + " messages, all right");
    if (result_.has_value()) {
      write();
    }
  }

 private:
  void check(const gxr::Message& message) const {
    const auto& tensor = message.get<gxr::Tensor>();
    const gxr::HostView view(tensor);
    const auto wanted = static_cast<std::int32_t>(taken_) + *added_;
    if (message.sequence() != static_cast<std::uint64_t>(taken_) ||
        !has_marks(reinterpret_cast<const std::int32_t*>(view.pointer()), tensor.element_count(),
                   wanted)) {
      throw gxr::Error(gxr::ErrorCode::InvalidData,
                       "message " + std::to_string(taken_) + " is number " +
                           std::to_string(message.sequence()) + ", or is not full of " +
                           std::to_string(wanted));
    }
  }
  void write() {
    const auto messages = static_cast<std::int64_t>(ns_.size());
    const double seconds = messages == 0 ? 0 : static_cast<double>(last_ - warm_) * 1e-9;
    std::ofstream file(result_->path);
    file << "{" << figures_json(messages, seconds, ns_) << "}\n";
    if (!file.flush()) {
      throw gxr::Error(gxr::ErrorCode::Failure, "cannot write " + result_->path);
    }
  }

  gxr::Input<> in_;
  gxr::Parameter<gxr::Handle<Window>> window_;
  gxr::Parameter<std::int32_t> added_;
  gxr::Parameter<std::int64_t> messages_;
  gxr::Parameter<gxr::FilePath> result_;
  std::vector<std::int64_t> ns_;
  std::int64_t taken_ = 0;
  std::int64_t warm_ = 0;
  std::int64_t last_ = 0;
};

}  // namespace bridge

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<bridge::Window>("Bounds how many messages are on their way");
  extension.add<bridge::Feeder>("Publishes tensors that carry their number");
  extension.add<bridge::Taker>("Says whether all came, in order, and how long they took");
}
