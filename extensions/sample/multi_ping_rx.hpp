#pragma once

#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Takes one message per tick from each of several receivers that has one, and drops them.
class MultiPingRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<std::vector<Handle<Receiver>>> receivers_;
};

}  // namespace gxr::sample
