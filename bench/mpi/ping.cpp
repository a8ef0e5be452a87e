#include <chrono>
#include <cstdio>

#include <gxr/gxr.hpp>

namespace bench {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

gxr::Message new_tensor(gxr::Codelet& codelet, gxr::Allocator& allocator, std::int64_t bytes) {
  gxr::Message message = codelet.context().new_message();
  message.add<gxr::Tensor>("data").allocate<std::uint8_t>(allocator,
                                                          {static_cast<std::int32_t>(bytes)});
  return message;
}

/// Sends a tensor, waits until it is back, and sends it again.
class Ping final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "The tensor that is back");
    interface.output(out_, "out", "The tensor");
    interface.parameter(allocator_, "allocator", "Gives the memory");
    interface.parameter(bytes_, "bytes", "Of the tensor");
    interface.parameter(rounds_, "rounds", "Ways there and back");
  }
  void tick() override {
    if (round_ == 0) {
      out_.publish(new_tensor(*this, *allocator_.get().get(), *bytes_));
    } else {
      gxr::Message message = in_.receive();
      if (round_ == *rounds_ / 10) {
        begin_ = Clock::now();
      }
      if (round_ < *rounds_) {
        out_.publish(std::move(message));
      } else {
        std::printf("one_way_ns %.1f\n",
                    ns_since(begin_) / (2.0 * static_cast<double>(*rounds_ - *rounds_ / 10)));
      }
    }
    ++round_;
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> allocator_;
  gxr::Parameter<std::int64_t> bytes_;
  gxr::Parameter<std::int64_t> rounds_;
  std::int64_t round_ = 0;
  Clock::time_point begin_;
};

/// Lets its first tick happen without a message.
class FirstFree final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(receiver_, "receiver", "Where messages come in");
    interface.parameter(rounds_, "rounds", "Ticks after the first");
  }
  gxr::Condition check(std::int64_t /*now*/) override {
    if (ticks_ > *rounds_) {
      return {gxr::ConditionType::Never, 0};
    }
    const bool is_ready = ticks_ == 0 || receiver_->size() + receiver_->back_size() > 0;
    return {is_ready ? gxr::ConditionType::Ready : gxr::ConditionType::Wait, 0};
  }
  void on_execute(std::int64_t /*now*/) override { ++ticks_; }
  void events(gxr::TermEvents& events) override { events.message(*receiver_.get()); }

 private:
  gxr::Parameter<gxr::Handle<gxr::Receiver>> receiver_;
  gxr::Parameter<std::int64_t> rounds_;
  std::int64_t ticks_ = 0;
};

/// Sends new tensors.
class Source final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "The tensors");
    interface.parameter(allocator_, "allocator", "Gives the memory");
    interface.parameter(bytes_, "bytes", "Of a tensor");
  }
  void tick() override { out_.publish(new_tensor(*this, *allocator_.get().get(), *bytes_)); }

 private:
  gxr::Output<> out_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> allocator_;
  gxr::Parameter<std::int64_t> bytes_;
};

/// Takes them, and says how often one came.
class Sink final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "The tensors");
    interface.parameter(messages_, "messages", "That come");
  }
  void tick() override {
    in_.receive();
    if (++taken_ == *messages_ / 10) {
      begin_ = Clock::now();
    } else if (taken_ == *messages_) {
      std::printf("each_ns %.1f\n",
                  ns_since(begin_) / static_cast<double>(*messages_ - *messages_ / 10));
    }
  }

 private:
  gxr::Input<> in_;
  gxr::Parameter<std::int64_t> messages_;
  std::int64_t taken_ = 0;
  Clock::time_point begin_;
};

}  // namespace bench

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<bench::Ping>("Sends a tensor there and back");
  extension.add<bench::FirstFree>("Lets the first tick happen without a message");
  extension.add<bench::Source>("Sends tensors");
  extension.add<bench::Sink>("Takes tensors");
}
