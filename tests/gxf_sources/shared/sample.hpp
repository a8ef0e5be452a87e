#pragma once

#include <cstdint>

#include "gxf/core/component.hpp"

namespace acme {
namespace shared {

// What several extensions agree on: a type for messages and an interface.
struct Sample {
  int64_t value = 0;
};

class Scale : public nvidia::gxf::Component {
 public:
  virtual int64_t scaled(int64_t value) const = 0;
};

}  // namespace shared
}  // namespace acme
