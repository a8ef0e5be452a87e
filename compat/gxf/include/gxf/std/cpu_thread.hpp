#pragma once

#include "gxf/core/component.hpp"

namespace gxr {

class CPUThread;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Says whether its entity has a thread of its own.
class GXR_GXF_API CPUThread : public Component {
 public:
  using OnlyOfGxr = void;

  explicit CPUThread(gxr::CPUThread& thread) noexcept : thread_(thread) {}
  ~CPUThread() override;
  bool pinned() const;

 private:
  gxr::CPUThread& thread_;
};

}  // namespace gxf
}  // namespace nvidia
