#pragma once

#include "gxf/std/transmitter.hpp"

namespace nvidia {
namespace gxf {

/// gxr's usual queue under its own name.
class GXR_GXF_API DoubleBufferTransmitter : public Transmitter {
 public:
  using Transmitter::Transmitter;
  ~DoubleBufferTransmitter() override;
};

}  // namespace gxf
}  // namespace nvidia
