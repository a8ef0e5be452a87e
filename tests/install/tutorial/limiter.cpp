#include <algorithm>
#include <cstdint>
#include <utility>

#include <gxr/gxr.hpp>

namespace limiter {

/// Limits the elements of tensors.
class Limiter : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32").elements({gxr::ElementType::Int32});
    interface.output(out_, "out", "The same tensors, limited").elements({gxr::ElementType::Int32});
    interface.parameter(most_, "most", "Greater elements become this").default_value(100);
  }

  void tick() override {
    gxr::Message message = in_.receive();
    auto& tensor = message.make_writable<gxr::Tensor>();
    if (!tensor.is_contiguous()) {
      throw gxr::Error(gxr::ErrorCode::NotSupported, "the tensor has gaps between its elements");
    }
    auto* elements = tensor.data<std::int32_t>();
    for (std::uint64_t i = 0; i < tensor.element_count(); ++i) {
      elements[i] = std::min(elements[i], *most_);
    }
    out_.publish(std::move(message));
  }

 private:
  gxr::Input<gxr::Tensor> in_;
  gxr::Output<gxr::Tensor> out_;
  gxr::Parameter<std::int32_t> most_;
};

}  // namespace limiter

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<limiter::Limiter>("Limits the elements of tensors");
}
