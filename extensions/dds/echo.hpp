#pragma once

#include <cstdint>

#include "gxr/codelet.hpp"
#include "gxr/port.hpp"

namespace gxr::dds {

/// Prints messages as YAML, one document each, to standard output.
class Echo final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void tick() override;

 private:
  Input<> in_;
  Parameter<std::uint64_t> values_;
};

}  // namespace gxr::dds
