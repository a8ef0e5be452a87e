#include "gxr/queue.hpp"

#include "common/logger.hpp"
#include "context.hpp"
#include "gxf/std/async_buffer_receiver.hpp"
#include "gxf/std/async_buffer_transmitter.hpp"
#include "gxf/std/double_buffer_receiver.hpp"
#include "gxf/std/double_buffer_transmitter.hpp"
#include "native.hpp"

namespace nvidia::gxf {
namespace {

Expected<Entity> shared(gxf_context_t context, const gxr::Message* message) {
  if (message == nullptr || !*message) {
    return Unexpected{GXF_FAILURE};
  }
  return layer::to_entity(context, gxr::Message(*message));
}

/// A reference for a queue; null for what is no message.
gxr::Message message_of(const Entity& entity) noexcept {
  return layer::as_message(entity.message());
}

}  // namespace

// The receiver's or transmitter's base is set by its own constructor, which knows the gxr type.
Receiver::Receiver(gxr::Receiver& receiver) noexcept : Queue(receiver), receiver_(receiver) {}
Receiver::~Receiver() = default;
Transmitter::Transmitter(gxr::Transmitter& transmitter) noexcept
    : Queue(transmitter), transmitter_(transmitter) {}
Transmitter::~Transmitter() = default;
Queue::~Queue() = default;
DoubleBufferReceiver::~DoubleBufferReceiver() = default;
DoubleBufferTransmitter::~DoubleBufferTransmitter() = default;
AsyncBufferReceiver::~AsyncBufferReceiver() = default;
AsyncBufferTransmitter::~AsyncBufferTransmitter() = default;

Expected<Entity> Queue::pop() {
  gxr::Message message;
  const gxf_result_t code = layer::guarded([&] {
    message = queue().pop();
    return message ? GXF_SUCCESS : GXF_FAILURE;
  });
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return layer::to_entity(context(), std::move(message));
}

Expected<void> Queue::push(const Entity& message) {
  return ExpectedOrCode(layer::guarded([&] {
    queue().push(message_of(message));
    return GXF_SUCCESS;
  }));
}

Expected<Entity> Queue::peek(std::int32_t index) {
  return index < 0 ? Expected<Entity>(Unexpected{GXF_ARGUMENT_OUT_OF_RANGE})
                   : shared(context(), queue().peek(static_cast<std::size_t>(index)));
}
std::size_t Queue::capacity() { return queue().capacity(); }
std::size_t Queue::size() { return queue().size(); }

Expected<Entity> Receiver::receive() {
  gxr::Message message;
  const gxf_result_t code = layer::guarded([&] {
    message = receiver_.receive_if_any();
    return message ? GXF_SUCCESS : GXF_FAILURE;
  });
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return layer::to_entity(context(), std::move(message));
}

std::size_t Receiver::back_size() { return receiver_.back_size(); }

Expected<Entity> Receiver::peekBack(std::int32_t index) {
  return index < 0 ? Expected<Entity>(Unexpected{GXF_ARGUMENT_OUT_OF_RANGE})
                   : shared(context(),
                            receiver_.at(receiver_.size() + static_cast<std::size_t>(index)));
}

Expected<void> Receiver::sync() {
  return ExpectedOrCode(layer::guarded([&] {
    receiver_.sync();
    return GXF_SUCCESS;
  }));
}

Expected<void> Receiver::setTransmitter(Handle<Transmitter>) {
  GXF_LOG_ERROR("Receiver::setTransmitter(): connections are those of the application's file");
  return Unexpected{GXF_NOT_IMPLEMENTED};
}

Expected<void> Transmitter::publish(const Entity& message) {
  return ExpectedOrCode(layer::guarded([&] {
    if (message.message().block == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    transmitter_.publish(message_of(message));
    return GXF_SUCCESS;
  }));
}

Expected<void> Transmitter::publish(Entity& message, const std::int64_t acq_timestamp) {
  const gxf_result_t code = layer::set_acquisition_time(message, acq_timestamp);
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return publish(static_cast<const Entity&>(message));
}

std::size_t Transmitter::back_size() { return transmitter_.back_size(); }

Expected<void> Transmitter::sync() {
  return ExpectedOrCode(layer::guarded([&] {
    transmitter_.sync();
    return GXF_SUCCESS;
  }));
}

}  // namespace nvidia::gxf
