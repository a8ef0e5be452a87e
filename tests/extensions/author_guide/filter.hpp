#pragma once

#include <gxr/gxr.hpp>

namespace guide {

/// Changes numbers for codelets. It has no parameter and no port: only handles name this base.
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
