#include "gxr/graph_operator.hpp"

#include "gxr/error.hpp"

namespace gxr {

std::uint64_t TensorSpec::bytes() const {
  const std::uint64_t each = type == ElementType::Custom ? bytes_per_element : size_of(type);
  std::uint64_t all = 0;
  if (__builtin_mul_overflow(shape.element_count(), each, &all)) {
    throw Error(ErrorCode::InvalidArgument, to_string() + " is too large to address");
  }
  return all;
}

std::string TensorSpec::to_string() const {
  const std::string custom = std::to_string(bytes_per_element) + "-byte elements";
  return (type == ElementType::Custom ? custom : gxr::to_string(type)) + " " + shape.to_string() +
         (content.empty() ? "" : " (" + content + ")");
}

ShapeContext::~ShapeContext() = default;
CaptureContext::~CaptureContext() = default;
ShapeInference::~ShapeInference() = default;
GraphOperator::~GraphOperator() = default;
CapturePreparation::~CapturePreparation() = default;
void GraphOperator::read_content(const Message& /*message*/, TensorSpec& /*spec*/) const {}
void GraphOperator::write_content(const TensorSpec& /*spec*/, Message& /*message*/) const {}

}  // namespace gxr
