#include "arithmetic/whole_number_operator.hpp"

#include <list>
#include <utility>

#include "arithmetic/device_kernels.hpp"
#include "gxr/host_copy.hpp"

namespace gxr::arithmetic {
namespace {

std::string describe(const Shape& shape, ElementType type) {
  return TensorSpec{shape, type, 0, {}}.to_string();
}

void require_int32(const Shape& shape, ElementType type) {
  if (type != ElementType::Int32) {
    throw Error(ErrorCode::InvalidArgument, "works on int32, not on " + describe(shape, type));
  }
}

void require_same(const Shape& first, const Shape& other) {
  if (!(first == other)) {
    throw Error(ErrorCode::InvalidArgument,
                "inputs have different shapes: " + first.to_string() + " and " + other.to_string());
  }
}

/// A received tensor, on the CPU.
class Received {
 public:
  explicit Received(Receiver& port) : message_(port.receive()), view_(checked()) {}

  [[nodiscard]] const Message& message() const noexcept { return message_; }
  [[nodiscard]] const Shape& shape() const { return message_.get<Tensor>().shape(); }
  [[nodiscard]] const std::int32_t* data() const noexcept {
    return reinterpret_cast<const std::int32_t*>(view_.pointer());
  }

 private:
  [[nodiscard]] const Tensor& checked() const {
    const auto& tensor = message_.get<Tensor>();
    require_int32(tensor.shape(), tensor.element_type());
    if (!tensor.is_contiguous()) {
      throw Error(ErrorCode::InvalidArgument, "works on tensors without gaps");
    }
    return tensor;
  }

  Message message_;
  HostView view_;
};

}  // namespace

void WholeNumberOperator::declare(Interface& interface) {
  interface.output(out_, "out", "Tensors of int32, shaped as the input")
      .elements({ElementType::Int32});
  interface.parameter(pool_, "pool", "Allocator of the results' memory outside of a CUDA graph");
}

void WholeNumberOperator::start() {
  if (context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
  }
}

void WholeNumberOperator::tick() {
  std::list<Received> received;
  Inputs in;
  for (Receiver* port : inputs()) {
    in.push_back(received.emplace_back(*port).data());
    require_same(received.front().shape(), received.back().shape());
  }
  Message result = context().new_message();
  auto& tensor = result.add<Tensor>();
  tensor.allocate<std::int32_t>(**pool_, received.front().shape());
  compute(in, tensor.data<std::int32_t>(), static_cast<std::int64_t>(tensor.element_count()));
  publish(std::move(result), received.front().message());
}

void WholeNumberOperator::publish(Message&& result, const Message& first) const {
  result.set_sequence(first.sequence());
  result.set_source_time(first.source_time());
  if (const auto* time = first.find<Timestamp>(); time != nullptr) {
    out_.publish(std::move(result), time->acqtime);
  } else {
    out_.publish(std::move(result));
  }
}

void WholeNumberOperator::infer(ShapeContext& context) {
  const std::vector<Receiver*> ports = inputs();
  const Shape shape = context.input(*ports.front()).shape;
  for (const Receiver* port : ports) {
    const TensorSpec& spec = context.input(*port);
    require_int32(spec.shape, spec.type);
    require_same(shape, spec.shape);
  }
  context.set_output(out_, {shape, ElementType::Int32, 0, {}});
}

void WholeNumberOperator::capture(CaptureContext& context) {
  Inputs in;
  for (const Receiver* port : inputs()) {
    in.push_back(context.input(*port).data<std::int32_t>());
  }
  Tensor& out = context.output(out_);
  launch(in, out.data<std::int32_t>(), static_cast<std::int64_t>(out.element_count()),
         context.stream());
}

GraphTraits WholeNumberOperator::graph_traits() const {
  GraphTraits traits;
  traits.dependent_launch = true;
  traits.repeatable = true;
  return traits;
}

}  // namespace gxr::arithmetic
