#pragma once

#include "gxr/gxr.hpp"

namespace gxr {

/// Passes messages on, one per tick.
class Forward final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> in_;
  Output<> out_;
};

}  // namespace gxr
