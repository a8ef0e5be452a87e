#include "tensor_check.hpp"

#include <algorithm>
#include <cinttypes>

#include "gxf/core/expected_macro.hpp"
#include "gxf/core/parameter_parser_std.hpp"
#include "gxf/std/tensor.hpp"

namespace acme {
namespace filter {

gxf_result_t TensorCheck::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(receiver_, "receiver", "Receiver", "Takes the tensors");
  result &= registrar->parameter(tensor_name_, "tensor_name", "Name", "Of the tensor");
  result &= registrar->parameter(first_, "first", "First", "Elements of the first tensor");
  result &= registrar->parameter(step_, "step", "Step", "Added from tensor to tensor", 0.0f);
  result &= registrar->parameter(highest_, "highest", "Highest", "The highest value", 1e9f);
  result &= registrar->parameter(expected_count_, "expected_count", "Count",
                                 "How many tensors must come");
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t TensorCheck::initialize() {
  count_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t TensorCheck::tick() {
  const auto message = receiver_->receive();
  if (!message) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  const auto tensor = message.value().get<nvidia::gxf::Tensor>(tensor_name_.get().c_str());
  if (!tensor) {
    return tensor.error();
  }
  const auto data = tensor.value()->data<float>();
  if (!data) {
    return data.error();
  }
  const std::vector<float>& first = first_.get();
  if (tensor.value()->element_count() != first.size() ||
      tensor.value()->size() != first.size() * sizeof(float) ||
      tensor.value()->stride(tensor.value()->rank() - 1) != sizeof(float)) {
    GXF_LOG_ERROR("A tensor of %" PRIu64 " elements", tensor.value()->element_count());
    return GXF_INVALID_DATA_FORMAT;
  }
  for (size_t i = 0; i < first.size(); ++i) {
    const float expected = std::min(first[i] + step_ * static_cast<float>(count_), highest_.get());
    if (data.value()[i] != expected) {
      GXF_LOG_ERROR("Element %zu of tensor %" PRIu64 " is %g, expected %g", i, count_,
                    static_cast<double>(data.value()[i]), static_cast<double>(expected));
      return GXF_FAILURE;
    }
  }
  ++count_;
  return GXF_SUCCESS;
}

gxf_result_t TensorCheck::deinitialize() {
  if (count_ != expected_count_) {
    GXF_LOG_ERROR("Expected %" PRIu64 " tensors, got %" PRIu64, expected_count_.get(), count_);
    return GXF_FAILURE;
  }
  GXF_LOG_INFO("filter: %" PRIu64 " tensors are right", count_);
  return GXF_SUCCESS;
}

}  // namespace filter
}  // namespace acme
