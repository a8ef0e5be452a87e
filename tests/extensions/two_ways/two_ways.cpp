#include <cstdint>

#include "gxr/gxr.hpp"
#include "gxr/verify.hpp"

namespace test {

/// Makes the same numbers twice, as a CPU and as a GPU would; from one tick on the second ones are
/// false. Needs neither.
class TwoWays final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(pool_, "pool", "Gives memory for the numbers");
    interface.parameter(false_from_, "false_from", "First tick with false numbers; 0: none")
        .default_value(0);
  }

  void tick() override {
    const bool is_false = *false_from_ > 0 && execution_count() >= *false_from_;
    if (context().verify()) {
      const gxr::Tensor cpu = numbers(false);
      const gxr::Tensor gpu = numbers(is_false);
      gxr::verify_result(*this, "numbers", {cpu, gpu, {}});
    }
  }

 private:
  [[nodiscard]] gxr::Tensor numbers(bool are_false) const {
    gxr::Tensor tensor;
    tensor.allocate<std::uint16_t>(*pool_.get(), {2, 3, 4});
    for (std::uint16_t i = 0; i < 24; ++i) {
      tensor.data<std::uint16_t>()[i] = static_cast<std::uint16_t>(i + (are_false && i > 17));
    }
    return tensor;
  }

  gxr::Parameter<gxr::Handle<gxr::Allocator>> pool_;
  gxr::Parameter<std::int64_t> false_from_;
};

}  // namespace test

void gxr_extension(gxr::Extension& extension) {
  extension.add<test::TwoWays>("Makes the same twice, or not");
}
