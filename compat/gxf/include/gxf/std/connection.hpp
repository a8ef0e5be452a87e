#pragma once

#include "gxf/std/receiver.hpp"
#include "gxf/std/transmitter.hpp"

namespace gxr {

class Connection;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Joins a transmitter to a receiver.
class GXR_GXF_API Connection : public Component {
 public:
  using OnlyOfGxr = void;

  explicit Connection(gxr::Connection& connection) noexcept : connection_(connection) {}
  ~Connection() override;

  Handle<Transmitter> source() const;
  Handle<Receiver> target() const;

 private:
  gxr::Connection& connection_;
};

}  // namespace gxf
}  // namespace nvidia
