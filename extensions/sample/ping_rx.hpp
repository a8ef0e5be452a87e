#pragma once

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Takes one message per tick and drops it.
class PingRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> signal_;
};

}  // namespace gxr::sample
