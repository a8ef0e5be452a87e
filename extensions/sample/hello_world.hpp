#pragma once

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Says hello in start, tick and stop.
class HelloWorld final : public Codelet {
 public:
  void start() override;
  void tick() override;
  void stop() override;
};

}  // namespace gxr::sample
