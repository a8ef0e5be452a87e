#include "tensor_source.hpp"

#include "gxf/core/expected_macro.hpp"
#include "gxf/core/parameter_parser_std.hpp"
#include "gxf/std/tensor.hpp"

namespace acme {
namespace filter {

gxf_result_t TensorSource::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(transmitter_, "transmitter", "Transmitter", "Sends the tensors");
  result &= registrar->parameter(allocator_, "allocator", "Allocator", "Memory of the tensors");
  result &= registrar->parameter(tensor_name_, "tensor_name", "Name", "Of the tensor",
                                 std::string("ramp"));
  result &= registrar->parameter(shape_, "shape", "Shape", "Of the tensor");
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t TensorSource::tick() {
  auto message = GXF_UNWRAP_OR_RETURN(nvidia::gxf::Entity::New(context()));
  auto tensor = GXF_UNWRAP_OR_RETURN(message.add<nvidia::gxf::Tensor>(tensor_name_.get().c_str()));
  const std::vector<int32_t> dimensions = shape_;
  const nvidia::gxf::Shape shape(dimensions);
  if (!shape.valid()) {
    return GXF_ARGUMENT_OUT_OF_RANGE;
  }
  GXF_RETURN_IF_ERROR(
      tensor->reshape<float>(shape, nvidia::gxf::MemoryStorageType::kSystem, allocator_.get()));
  float* data = GXF_UNWRAP_OR_RETURN(tensor->data<float>());
  for (uint64_t i = 0; i < shape.size(); ++i) {
    data[i] = static_cast<float>(i + static_cast<uint64_t>(getExecutionCount()) - 1);
  }
  return nvidia::gxf::ToResultCode(transmitter_->publish(message, getExecutionTimestamp()));
}

}  // namespace filter
}  // namespace acme
