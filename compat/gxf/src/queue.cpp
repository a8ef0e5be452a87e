#include "gxr/queue.hpp"

#include "common/logger.hpp"
#include "context.hpp"
#include "cuda_streams.hpp"
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
  if (layer::has_cuda_parts(*message)) {
    layer::learn_streams(*message);
  }
  return layer::to_entity(context, gxr::Message(*message));
}

/// Puts a reference to the message on its way.
template <class F>
Expected<void> send(const Entity& entity, F&& push) {
  return ExpectedOrCode(layer::guarded([&] {
    if (entity.message().block == nullptr) {
      return GXF_ARGUMENT_NULL;
    }
    // Asked of the source's own reference: as a rule it is the only one, and needs no lock.
    const bool has_cuda_parts = layer::has_cuda_parts(layer::as_message(entity.message()));
    gxr::Message message = layer::as_message(entity.message());
    const gxf_result_t code = has_cuda_parts ? layer::translate_leaving(message) : GXF_SUCCESS;
    if (code == GXF_SUCCESS) {
      push(std::move(message));
    }
    return code;
  }));
}

/// Takes the oldest message.
Expected<Entity> take(gxf_context_t context, gxr::Queue& queue) {
  gxr::Message message;
  const gxf_result_t code = layer::guarded([&] {
    message = queue.pop();
    if (!message) {
      return GXF_FAILURE;
    }
    layer::order_arriving(message);
    return GXF_SUCCESS;
  });
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return layer::to_entity(context, std::move(message));
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

Expected<Entity> Queue::pop() { return take(context(), queue()); }

Expected<void> Queue::push(const Entity& message) {
  return send(message, [&](gxr::Message&& sent) { queue().push(std::move(sent)); });
}

Expected<Entity> Queue::peek(std::int32_t index) {
  return index < 0 ? Expected<Entity>(Unexpected{GXF_ARGUMENT_OUT_OF_RANGE})
                   : shared(context(), queue().peek(static_cast<std::size_t>(index)));
}
std::size_t Queue::capacity() { return queue().capacity(); }
std::size_t Queue::size() { return queue().size(); }

Expected<Entity> Receiver::receive() { return take(context(), receiver_); }

std::size_t Receiver::back_size() { return receiver_.back_size(); }

Expected<Entity> Receiver::peekBack(std::int32_t index) {
  return index < 0
             ? Expected<Entity>(Unexpected{GXF_ARGUMENT_OUT_OF_RANGE})
             : shared(context(), receiver_.at(receiver_.size() + static_cast<std::size_t>(index)));
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
  return send(message, [&](gxr::Message&& sent) { transmitter_.publish(std::move(sent)); });
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
