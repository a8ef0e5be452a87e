#include "image/capturable_operator.hpp"

#include <optional>
#include <string>

namespace gxr::image {

void throw_refused(const Error& error) { throw Error(ErrorCode::InvalidArgument, error.message()); }

void CapturableOperator::start() {
  const std::optional<int> device = context().graph_device(*this);
  if (!device) {
    return;
  }
  StreamOptions options;
  options.device = *device;
  cuda::Streams streams;
  streams.initialize(*this, options, {}, {});
  const GpuTick gpu(streams);
  stage_constants(gpu);
  const DeviceWork staged = gpu.work();
  staged.stream->wait_on_host(staged.number);
}

void CapturableOperator::infer(ShapeContext& context) {
  require_capturable();
  const TensorSpec& spec = context.input(in());
  try {
    const InputImage input = expect_image(spec, in_tensor_name(), "in");
    const ImageShape shape = result_shape(input, nullptr);
    context.set_output(out(),
                       {tensor_shape(shape), input.type(), 0, std::string(result_name(input))});
  } catch (const Error& error) {
    throw_refused(error);
  }
  context.set_scratch(scratch_bytes());
}

void CapturableOperator::capture(CaptureContext& context) {
  const InputImage input = image_of(context.input(in()), "in");
  const Work work{input, context.output(out()), result_shape(input, nullptr), nullptr};
  launch(work, {device_kernels(), context.stream(), context.scratch(), nullptr});
}

void CapturableOperator::process(Task& task) {
  const Work work{task.input, task.result, result_shape(task.input, &task.message), &task.message};
  allocate(task, work.shape, work.input.type());
  if (const GpuTick* gpu = task.gpu; gpu == nullptr) {
    compute_on_host(work);
  } else {
    const std::size_t bytes = scratch_bytes();
    const Tensor scratch = bytes > 0 ? gpu->scratch(bytes) : Tensor();
    launch(work, {gpu->kernels(), gpu->stream(), scratch.pointer(), gpu});
  }
  add_parts(task.output);
}

}  // namespace gxr::image
