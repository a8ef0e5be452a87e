// Codelets of the CPU at the ends of what GPUs do.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/timestamp.hpp"

namespace gpu {

using gxr::Handle;
using gxr::Interface;
using gxr::Message;
using gxr::Parameter;
using gxr::Tensor;

/// Publishes, on the CPU, tensors full of 1, then of 2, and so on.
class Feed final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Tensors");
    interface.parameter(pool_, "pool", "Gives memory for them");
    interface.parameter(size_, "size", "Elements of each").default_value(1024);
    interface.parameter(sizes_, "sizes", "The same in turn; empty: always `size`")
        .default_value({});
    interface.parameter(pinned_, "pinned", "Whether it is page-locked memory").default_value(false);
    interface.parameter(wrong_at_, "wrong_at", "Which one has an element more, from 1")
        .default_value(0);
    interface.parameter(wait_us_, "wait_us", "How long it takes for each").default_value(0);
  }
  void tick() override {
    std::this_thread::sleep_for(std::chrono::microseconds(*wait_us_));
    Message message = context().new_message();
    auto& tensor = message.add<Tensor>();
    const auto number = static_cast<std::size_t>(execution_count() - 1);
    const std::int32_t planned = sizes_->empty() ? *size_ : (*sizes_)[number % sizes_->size()];
    const std::int32_t size = planned + (execution_count() == *wrong_at_ ? 1 : 0);
    tensor.allocate<std::int32_t>(
        **pool_, {size}, *pinned_ ? gxr::MemoryStorageType::Host : gxr::MemoryStorageType::System);
    std::fill_n(tensor.data<std::int32_t>(), size, static_cast<std::int32_t>(execution_count()));
    message.set_sequence(static_cast<std::uint64_t>(1000 + execution_count()));
    out_.publish(std::move(message), 10 * execution_count());
  }

 private:
  gxr::Output<> out_;
  Parameter<Handle<gxr::Allocator>> pool_;
  Parameter<std::int32_t> size_;
  Parameter<std::vector<std::int32_t>> sizes_;
  Parameter<bool> pinned_;
  Parameter<std::int64_t> wrong_at_;
  Parameter<std::int64_t> wait_us_;
};

/// Says on the CPU whether the tensors are full of first, first + step, …
class Check final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors");
    interface.parameter(first_, "first", "What the first is full of").default_value(1);
    interface.parameter(step_, "step", "From one to the next").default_value(1);
    interface
        .parameter(wanted_, "wanted", "What they are full of; empty: first, first + step, …",
                   "After the last number comes the first again.")
        .default_value({});
    interface.parameter(sizes_, "sizes", "Elements of each in turn; empty: any").default_value({});
    interface.parameter(quiet_, "quiet", "Whether nothing is logged").default_value(false);
    interface.parameter(fed_, "fed", "Whether time and number are those of a gpu::Feed")
        .default_value(false);
    interface
        .parameter(grows_, "grows",
                   "How large a step may be, and time and number are those of any gpu::Feed; 0: no "
                   "larger than `step`")
        .default_value(0);
    interface.parameter(wait_us_, "wait_us", "How long it takes for each").default_value(0);
  }
  void tick() override {
    const Message message = in_.receive();
    const auto& tensor = message.get<Tensor>();
    const auto* const time = message.find<gxr::Timestamp>();
    if (*fed_ && (time == nullptr || time->acqtime != 10 * execution_count() ||
                  message.sequence() != static_cast<std::uint64_t>(1000 + execution_count()))) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "message " + std::to_string(execution_count()) +
                                                        " has another's number " +
                                                        std::to_string(message.sequence()));
    }
    const auto number = static_cast<std::size_t>(execution_count() - 1);
    if (!sizes_->empty() && tensor.shape().dimension(0) != (*sizes_)[number % sizes_->size()]) {
      throw gxr::Error(gxr::ErrorCode::InvalidData,
                       "message " + std::to_string(execution_count()) + " has another's size");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(*wait_us_));
    const gxr::HostView view(tensor);
    const auto* values = reinterpret_cast<const std::int32_t*>(view.pointer());
    auto wanted = static_cast<std::int32_t>(*first_ + *step_ * (execution_count() - 1));
    if (!wanted_->empty()) {
      wanted = (*wanted_)[number % wanted_->size()];
    }
    if (*grows_ > 0) {
      const std::int64_t last = last_ == 0 ? *first_ - *step_ : last_;
      wanted = static_cast<std::int32_t>(
          std::clamp<std::int64_t>(values[0], last + *step_, last + *grows_));
      last_ = wanted;
      if (time == nullptr ||
          time->acqtime != 10 * (static_cast<std::int64_t>(message.sequence()) - 1000)) {
        throw gxr::Error(gxr::ErrorCode::InvalidData, "time and number are of different messages");
      }
    }
    for (std::uint64_t i = 0; i < tensor.element_count(); ++i) {
      if (values[i] != wanted) {
        throw gxr::Error(gxr::ErrorCode::InvalidData,
                         "message " + std::to_string(execution_count()) + ": element " +
                             std::to_string(i) + " is " + std::to_string(values[i]) + ", not " +
                             std::to_string(wanted));
      }
    }
  }
  void stop() override {
    if (!*quiet_) {
      log_info(std::to_string(execution_count()) + " right" +
               (*grows_ > 0 ? ", the last " + std::to_string(last_) : ""));
    }
  }

 private:
  gxr::Input<> in_;
  Parameter<std::int64_t> first_;
  Parameter<std::int64_t> step_;
  Parameter<std::vector<std::int32_t>> wanted_;
  Parameter<std::vector<std::int32_t>> sizes_;
  Parameter<bool> quiet_;
  Parameter<bool> fed_;
  Parameter<std::int64_t> grows_;
  Parameter<std::int64_t> wait_us_;
  std::int32_t last_ = 0;  // if it grows
};

void add_processor(gxr::Extension& extension) {
  extension.add<Feed>("Publishes tensors of the CPU full of 1, 2, …");
  extension.add<Check>("Says whether tensors are right");
}

}  // namespace gpu
