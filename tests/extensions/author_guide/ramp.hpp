#pragma once

#include <gxr/gxr.hpp>

#include "filter.hpp"
#include "slope.hpp"

namespace guide {

/// Publishes one tensor of float32, shape [length], per tick.
class Ramp final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Tensors 'ramp' with numbers from 0 to length - 1");
    interface.parameter(pool_, "pool", "Where the tensors' memory comes from");
    interface.parameter(length_, "length", "Numbers in a tensor").default_value(8).range(1, 1e6);
    interface.parameter(slope_, "slope", "Whether numbers rise or fall").default_value(Slope::Up);
    interface.parameter(filter_, "filter", "Changes every number; left out: none").optional();
  }

  void tick() override {
    gxr::Message message = context().new_message();
    auto& tensor = message.add<gxr::Tensor>("ramp");
    tensor.allocate<float>(*pool_.get(), {*length_});
    float* numbers = tensor.data<float>();
    for (std::int32_t i = 0; i < *length_; ++i) {
      numbers[i] = filtered(static_cast<float>(*slope_ == Slope::Up ? i : *length_ - 1 - i));
    }
    out_.publish(std::move(message), execution_timestamp());
  }

 private:
  [[nodiscard]] float filtered(float number) const {
    return filter_.has_value() ? filter_->apply(number) : number;
  }

  gxr::Output<> out_;
  gxr::Parameter<gxr::Handle<gxr::Allocator>> pool_;
  gxr::Parameter<std::int32_t> length_;
  gxr::Parameter<Slope> slope_;
  gxr::Parameter<gxr::Handle<Filter>> filter_;
};

}  // namespace guide
