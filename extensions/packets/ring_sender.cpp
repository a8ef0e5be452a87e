#include "packets/ring_sender.hpp"

#include <chrono>
#include <cstring>

#include "gxr/host_copy.hpp"
#include "packets/counted.hpp"

namespace gxr::cuda {

void RingSender::declare(Interface& interface) {
  interface.input(in_, "in", "Tensors: the elements of each are a frame");
  interface.parameter(ring_, "ring", "The ring that it writes to",
                      "When the ring is full, the frame is discarded, and the ring counts it.");
  format_.declare(interface);
}

FrameLayout RingSender::layout(std::uint64_t data_bytes) const {
  return format_.layout(data_bytes, ring_->frame_bytes(), ring_->full_name());
}

void RingSender::start() {
  transmission_ = {};
  ring_->take(RingEnd::Writer, *this);
  if (const auto device = context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
    DeviceTransmission state;
    state.ring = ring_->on_device(*device);
    on_device_ = std::make_unique<DeviceValue<DeviceTransmission>>(state, *device);
  } else {
    const RingView ring = ring_->on_host();
    ring_word::store_release(ring.header->ended, 0U);
    transmission_.writer = RingWriter(ring);
  }
}

void RingSender::tick() {
  const Message message = in_.receive();
  const auto& tensor = message.get<Tensor>();
  if (!tensor.is_contiguous()) {
    throw Error(ErrorCode::WrongType, "the tensor has gaps between its elements; copy it first");
  }
  const HostView view(tensor);
  send(view.pointer(), layout(tensor.element_count() * tensor.bytes_per_element()));
  ring_->changed_by(RingEnd::Writer);
}

void RingSender::send(const std::byte* data, const FrameLayout& layout) {
  RingWriter& writer = transmission_.writer;
  const std::uint64_t number = transmission_.number++;
  if (writer.room() == 0) {
    writer.drop(1);
    ++transmission_.dropped;
    return;
  }
  std::byte* const frame = writer.payload();
  std::memset(frame, 0, layout.header_bytes);
  layout.number.write(frame, number);
  std::memcpy(frame + layout.header_bytes, data, layout.data_bytes);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  writer.publish(layout.bytes(), std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  ++transmission_.sent;
}

void RingSender::infer(ShapeContext& context) {
  static_cast<void>(layout(context.input(in_).bytes()));
}

void RingSender::capture(CaptureContext& context) {
  device_kernels().send(on_device_->get(), layout(context.input_spec(in_).bytes()),
                        static_cast<const std::byte*>(context.input(in_).pointer()),
                        context.stream());
}

void RingSender::stop() {
  if (on_device_ != nullptr) {
    transmission_ = on_device_->read().transmission;
    on_device_.reset();
  } else {
    transmission_.writer.end();  // readers finish
    ring_->changed_by(RingEnd::Writer);
  }
  ring_->give_up(RingEnd::Writer);
  report();
}

void RingSender::report() const {
  std::string text = "wrote " + counted(transmission_.sent, "frame");
  if (transmission_.dropped > 0) {
    text += ", discarded " + std::to_string(transmission_.dropped) + " that found no room";
  }
  log_info(text);
}

}  // namespace gxr::cuda
