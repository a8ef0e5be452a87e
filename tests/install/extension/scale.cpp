#include <cstdint>
#include <utility>

#include <gxr/gxr.hpp>

namespace greeter {

/// Publishes the tensor of each message with every number multiplied.
class Scale : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors of float32").elements({gxr::ElementType::Float32});
    interface.output(out_, "out", "Their numbers, multiplied")
        .elements({gxr::ElementType::Float32});
    interface.parameter(factor_, "factor", "Factor of each number").range(0.0, 100.0);
    interface.parameter(pool_, "pool", "Gives the tensors their memory");
  }
  void tick() override {
    const gxr::Message message = in_.receive();
    const gxr::Tensor& from = message.get<gxr::Tensor>();
    gxr::Message result = context().new_message();
    gxr::Tensor& to = result.add<gxr::Tensor>();
    to.allocate<float>(*pool_.get(), from.shape());
    for (std::uint64_t i = 0; i < from.element_count(); ++i) {
      to.data<float>()[i] = from.data<float>()[i] * static_cast<float>(*factor_);
    }
    out_.publish(std::move(result));
  }

 private:
  gxr::Input<gxr::Tensor> in_;
  gxr::Output<gxr::Tensor> out_;
  gxr::Parameter<double> factor_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> pool_;
};

}  // namespace greeter

void gxr_extension(gxr::Extension& extension) {
  extension.add<greeter::Scale>("Multiplies the numbers of tensors");
}
