// A codelet of gxr between two that were written for GXF.

#include <cstdint>
#include <utility>

#include "gxr/gxr.hpp"

namespace middle {

/// Doubles the second number of a tensor where it is; fails when the first is not its address.
class Double final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors of int64");
    interface.output(out_, "out", "The same tensors");
  }
  void tick() override {
    gxr::Message message = in_.receive();
    auto* const numbers = message.make_writable<gxr::Tensor>("numbers").data<std::int64_t>();
    if (numbers[0] != reinterpret_cast<std::intptr_t>(numbers)) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "the tensor was copied");
    }
    numbers[1] *= 2;
    out_.publish(std::move(message));
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
};

}  // namespace middle

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<middle::Double>("Doubles numbers where they are");
}
