#pragma once

#include <gxr/gxr.hpp>

namespace guide {

/// What a codelet may ask of another component. No parameter, no port: only a base for handles.
class Filter : public gxr::Component {
 public:
  [[nodiscard]] virtual float apply(float value) const = 0;
};

class Offset final : public Filter {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(amount_, "amount", "What is added to every number").default_value(0.0F);
  }
  [[nodiscard]] float apply(float value) const override { return value + *amount_; }

 private:
  gxr::Parameter<float> amount_;
};

}  // namespace guide
