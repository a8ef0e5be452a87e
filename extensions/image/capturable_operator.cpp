#include "image/capturable_operator.hpp"

#include <optional>
#include <string>

namespace gxr::image {

void throw_refused(const Error& error) { throw Error(ErrorCode::InvalidArgument, error.message()); }

void CapturableOperator::start() {
  if (context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
  }
}

std::string CapturableOperator::result_content(const InputImage& input) const {
  if (const auto made = made_pattern()) {
    return content_of(*made);
  }
  return geometry() == Geometry::Kept && input.bayer ? content_of(*input.bayer) : std::string();
}

void CapturableOperator::infer(ShapeContext& context) {
  require_tensor();
  require_capturable();
  const TensorSpec& spec = context.input(in());
  try {
    const InputImage input = expect_image(spec, in_tensor_name(), "in");
    const TensorForm form = result_form(input);
    context.set_output(
        out(), {form.shape, form.type, 0, std::string(result_name(input)), result_content(input)});
    context.set_parameters(parameters(input));
    context.set_scratch(scratch_bytes(input));
  } catch (const Error& error) {
    throw_refused(error);
  }
}

void CapturableOperator::capture(CaptureContext& context) {
  const InputImage input =
      expect_image(context.input_spec(in()), in_tensor_name(), "in", &context.input(in()));
  const Work work{input, context.output(out()), result_shape(input), nullptr};
  launch(work, {device_kernels(), context.stream(), context.scratch(), nullptr, &context});
}

void CapturableOperator::read_content(const Message& message, TensorSpec& spec) const {
  if (const auto* pattern = message.find<BayerPattern>(); pattern != nullptr) {
    spec.content = content_of(pattern->layout);
  }
}

void CapturableOperator::write_content(const TensorSpec& spec, Message& message) const {
  if (const auto pattern = pattern_in(spec.content)) {
    message.add<BayerPattern>({}, BayerPattern{*pattern});
  }
}

void CapturableOperator::process(Task& task) {
  const Work work{task.input, task.result, result_shape(task.input), &task.message};
  const TensorForm form = result_form(task.input);
  allocate(task, form.shape, form.type);
  if (const GpuTick* gpu = task.gpu; gpu == nullptr) {
    compute_on_host(work);
  } else {
    const std::size_t bytes = scratch_bytes(task.input);
    Tensor scratch = bytes > 0 ? gpu->scratch(bytes) : Tensor();
    launch(work, {gpu->kernels(), gpu->stream(), scratch.pointer(), gpu, nullptr});
  }
  if (const auto pattern = made_pattern()) {
    task.output.add<BayerPattern>({}, BayerPattern{*pattern});
  }
}

}  // namespace gxr::image
