#pragma once

#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Takes one message from each of several receivers per tick and drops them.
class MultiPingRx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Parameter<std::vector<Handle<Receiver>>> receivers_;
};

}  // namespace gxr::sample
