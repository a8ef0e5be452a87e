// The operator that measures in bench/dds/hop.py.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include <gxr/gxr.hpp>

namespace bench {

/// Sends a tensor on, and again whenever it comes back; prints the median of the time between, us.
class Ping final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(
        in_, "in",
        "Receiver of messages of any content, which begin until one has come back, and of "
        "what comes back");
    interface.output(out_, "out", "Transmitter to the other process");
    interface.parameter(bytes_, "bytes", "Bytes of the tensor").minimum(1);
    interface.parameter(count_, "count", "Times that it is sent").minimum(1);
  }

  void tick() override {
    gxr::Message message = in_.receive();
    const auto now = std::chrono::steady_clock::now();
    const bool came_back = message.find<gxr::Tensor>("blob") != nullptr;
    if (!came_back && !times_.empty()) {
      return;
    }
    if (came_back) {
      times_.push_back(std::chrono::duration<double, std::micro>(now - sent_).count());
    } else {
      memory_.assign(bytes_.get(), 7);
      message = context().new_message();
      message.add<gxr::Tensor>("blob").wrap(
          memory_.data(), gxr::Shape{static_cast<std::int32_t>(memory_.size())},
          gxr::ElementType::UInt8, gxr::MemoryStorageType::System, nullptr, nullptr);
    }
    if (times_.size() == count_.get()) {
      std::ranges::sort(times_);
      std::printf("%.2f\n", times_[times_.size() / 2]);
      std::fflush(stdout);
      context().interrupt();
      return;
    }
    sent_ = std::chrono::steady_clock::now();
    out_.publish(std::move(message));
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<std::uint32_t> bytes_;
  gxr::Parameter<std::uint64_t> count_;
  std::vector<std::uint8_t> memory_;
  std::vector<double> times_;
  std::chrono::steady_clock::time_point sent_;
};

}  // namespace bench

void gxr_extension(gxr::Extension& extension) {
  extension.add<bench::Ping>("Measures how long a message takes to another process and back");
}
