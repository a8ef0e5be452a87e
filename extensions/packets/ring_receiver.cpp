#include "packets/ring_receiver.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "packets/counted.hpp"

namespace gxr::cuda {

void RingReceiver::declare(Interface& interface) {
  interface.output(out_, "out", "The elements of each frame, as a tensor");
  interface.parameter(ring_, "ring", "The ring that it reads");
  interface.parameter(pool_, "pool", "Allocator of the tensors' memory outside of a CUDA graph");
  interface.parameter(tensor_, "tensor", "The tensor that a frame holds behind its header",
                      "Frames of another length are counted, and not published.");
  interface
      .parameter(late_, "late", "What becomes of a frame that comes after one with a higher number")
      .default_value("drop")
      .choices({{"drop", "it is counted, and not published: messages keep the sender's order"},
                {"deliver", "it is counted and published, with its own sequence number"}});
  format_.declare(interface);
}

FrameLayout RingReceiver::layout() const {
  return format_.layout(tensor_->bytes(), ring_->frame_bytes(), ring_->full_name());
}

void RingReceiver::start() {
  layout_ = layout();
  reception_ = {};
  reception_.order = FrameOrder(layout_.number.bytes);
  ring_->take(RingEnd::Reader, *this);
  if (const auto device = context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
    DeviceReception state;
    state.ring = ring_->on_device(*device);
    state.reception = reception_;
    on_device_ = std::make_unique<DeviceValue<DeviceReception>>(state, *device);
  } else {
    reception_.reader = RingReader(ring_->on_host());
  }
}

void RingReceiver::tick() {
  const RingFrame frame = reception_.next(layout_, keeps_late(), std::numeric_limits<int>::max());
  if (frame) {
    publish(frame);
    reception_.finish();
  }
  ring_->changed_by(RingEnd::Reader);
}

void RingReceiver::publish(const RingFrame& frame) {
  Message message = context().new_message();
  auto& tensor = tensor_->name.empty() ? message.add<Tensor>() : message.add<Tensor>(tensor_->name);
  tensor.allocate(**pool_, tensor_->shape, tensor_->type, MemoryStorageType::System);
  std::memcpy(tensor.pointer(), frame.data + layout_.header_bytes, layout_.data_bytes);
  message.set_sequence(reception_.number);
  message.set_source_time(frame.arrival_ns);
  out_.publish(std::move(message), frame.arrival_ns);
}

void RingReceiver::infer(ShapeContext& context) {
  static_cast<void>(layout());
  context.set_output(out_, *tensor_);
}

void RingReceiver::capture(CaptureContext& context) {
  const Doorbell bell = context.doorbell();
  if (bell.rung == nullptr) {
    throw Error(ErrorCode::NotSupported,
                "in a CUDA graph it polls on the GPU: put a gxr::cuda::DataReadyHandler beside it, "
                "in a graph of mode 'resident'");
  }
  device_kernels().receive(on_device_->get(), layout_, keeps_late(), bell,
                           static_cast<std::byte*>(context.output(out_).pointer()),
                           context.stream());
}

void RingReceiver::stop() {
  if (on_device_ != nullptr) {
    reception_ = on_device_->read().reception;
    on_device_.reset();
  }
  ring_->give_up(RingEnd::Reader);
  report();
}

std::vector<Discard> RingReceiver::discards() const {
  const FrameCounts& counts = reception_.order.counts;
  std::vector<Discard> all{
      {counts.lost, counts.received + counts.lost, "lost on the way: their numbers did not come"},
      {counts.repeated, counts.received, "they came once more"},
      {counts.malformed, counts.received,
       "they are not " + std::to_string(layout_.bytes()) + " bytes long"}};
  if (!keeps_late()) {
    all.push_back({counts.late, counts.received, "they came after frames with higher numbers"});
  }
  return all;
}

void RingReceiver::report() const {
  const FrameCounts& counts = reception_.order.counts;
  std::string text = "received " + counted(counts.received, "frame") + ", published " +
                     std::to_string(reception_.delivered);
  const std::pair<std::uint64_t, const char*> others[]{{counts.lost, " lost"},
                                                       {counts.late, " late"},
                                                       {counts.repeated, " repeated"},
                                                       {counts.malformed, " malformed"}};
  for (const auto& [count, word] : others) {
    if (count > 0) {
      text += ", " + std::to_string(count) + word;
    }
  }
  if (counts.restarts > 0) {
    text += "; the sender began anew " + counted(counts.restarts, "time");
  }
  log_info(text);
}

}  // namespace gxr::cuda
