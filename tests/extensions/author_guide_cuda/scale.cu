#include "gxr/cuda/streams.hpp"
#include "gxr/gxr.hpp"

__global__ void scale(float* values, int count, float factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

class Scale final : public gxr::cuda::Codelet {
  void declare(gxr::Interface& interface) override {
    Codelet::declare(interface);
    interface.input(in_, "in", "Messages with a float tensor in device memory");
    interface.output(out_, "out", "The same messages, multiplied");
    interface.parameter(factor_, "factor", "What each element is multiplied by").default_value(2);
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    gxr::Message message = in_.receive();
    auto& tensor = message.make_writable<gxr::Tensor>();
    const int count = static_cast<int>(tensor.element_count());
    scale<<<(count + 255) / 256, 256, 0, streams.stream()>>>(tensor.data<float>(), count, factor_);
    out_.publish(message);
  }
  gxr::Input<> in_;
  gxr::Output<> out_;
  gxr::Parameter<float> factor_;
};

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<Scale>("Multiplies tensors on the GPU");
}
