#include "tensor_generator.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gxr::testing {

void TensorGenerator::declare(Interface& interface) {
  interface.output(output_, "output", "A message with tensors per tick");
  interface.parameter(allocator_, "allocator", "Gives the tensors their memory");
  interface.parameter(shape_, "shape", "Shape of each tensor, 8 dimensions at most").minimum(0);
  interface
      .parameter(storage_type_, "storage_type", "Where the memory lives",
                 "0 and 1 need a GPU; with --compat gxf the allocator gives system "
                 "memory instead.")
      .default_value(static_cast<std::int32_t>(MemoryStorageType::Host))
      .choices({{"0", "host: page-locked, reachable by the GPU"},
                {"1", "device: on the GPU"},
                {"2", "system: the heap"}});
  interface
      .parameter(enable_timestamps_, "enable_timestamps",
                 "Whether each tensor is accompanied by a timestamp")
      .default_value(true);
  interface.parameter(tensor_name_, "tensor_name", "Name of the tensors in the message")
      .default_value("tensor");
  interface.parameter(timestamp_name_, "timestamp_name", "Name of the timestamps in the message")
      .default_value("timestamp");
  interface.parameter(number_of_tensors_, "number_of_tensors", "Tensors in each message")
      .default_value(1)
      .minimum(0)
      .unit("tensors");
  streams_.declare(interface);
}

void TensorGenerator::start() { random_.seed(component_id() + 1); }

/// From 0 to less than 1; a distribution of the standard library may differ between libraries.
float TensorGenerator::next_value() {
  constexpr std::uint32_t kDroppedBits = 8;  // a float has 24 bits of precision
  return static_cast<float>(random_() >> kDroppedBits) * 0x1p-24F;
}

void TensorGenerator::stop() { streams_.release(); }

void TensorGenerator::tick() {
  const auto storage = static_cast<MemoryStorageType>(*storage_type_);
  if (allocator_->real_storage(storage) != MemoryStorageType::Device) {
    publish_tensors();
    return;
  }
  if (!streams_.is_initialized()) {
    streams_.initialize(*this);
  }
  const cuda::Streams::Tick tick(streams_);
  static_cast<void>(streams_.stream());
  publish_tensors();
}

void TensorGenerator::publish_tensors() {
  const Shape shape(shape_->data(), shape_->size());
  Message message = context().new_message();
  for (std::int32_t i = 0; i < *number_of_tensors_; ++i) {
    add_tensor(message, shape);
  }
  output_->publish(std::move(message));
}

void TensorGenerator::add_tensor(Message& message, const Shape& shape) {
  auto& tensor = message.add<Tensor>(*tensor_name_);
  tensor.allocate<float>(*allocator_.get(), shape, static_cast<MemoryStorageType>(*storage_type_));
  fill(tensor);
  if (*enable_timestamps_) {
    const std::int64_t now = execution_timestamp();
    message.add<Timestamp>(*timestamp_name_) = Timestamp{now, now};
  }
}

void TensorGenerator::fill(Tensor& tensor) {
  std::vector<float> values;
  auto* to = tensor.data<float>();
  if (tensor.storage_type() == MemoryStorageType::Device) {
    values.resize(tensor.element_count());
    to = values.data();
  }
  std::generate_n(to, tensor.element_count(), [&] { return next_value(); });
  if (!values.empty()) {
    streams_.copy(tensor.pointer(), values.data(), tensor.size());
  }
}

}  // namespace gxr::testing
