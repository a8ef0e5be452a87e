#include <gxr/gxr.hpp>

namespace scaler {

/// Multiplies the elements of tensors.
class Scaler : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32").elements({gxr::ElementType::Int32});
    interface.output(out_, "out", "Tensors of the same shape").elements({gxr::ElementType::Int32});
    interface.parameter(factor_, "factor", "What each element is multiplied by").default_value(2);
    interface.parameter(offset_, "offset", "What is added to each element").default_value(0);
    interface.parameter(pool_, "pool", "Allocator of the results' memory");
  }

  void tick() override {
    const gxr::Message received = in_.receive();
    const auto& input = received.get<gxr::Tensor>();

    gxr::Message message = context().new_message();
    auto& output = message.add<gxr::Tensor>();
    output.allocate<std::int32_t>(**pool_, input.shape());
    for (std::uint64_t i = 0; i < input.element_count(); ++i) {
      output.data<std::int32_t>()[i] = input.data<std::int32_t>()[i] * factor_ + offset_;
    }
    out_.publish(std::move(message), execution_timestamp());
  }

 private:
  gxr::Input<gxr::Tensor> in_;
  gxr::Output<gxr::Tensor> out_;
  gxr::Parameter<std::int32_t> factor_;
  gxr::Parameter<std::int32_t> offset_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> pool_;
};

}  // namespace scaler

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<scaler::Scaler>("Multiplies the elements of tensors");
}
