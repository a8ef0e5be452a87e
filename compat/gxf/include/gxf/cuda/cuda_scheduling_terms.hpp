#pragma once

#include "gxf/std/scheduling_terms.hpp"

namespace nvidia {
namespace gxf {

// gxr's terms that wait for device work; sources only name them.

class GXR_GXF_API CudaStreamSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~CudaStreamSchedulingTerm() override;
};
class GXR_GXF_API CudaEventSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~CudaEventSchedulingTerm() override;
};
class GXR_GXF_API CudaBufferAvailableSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~CudaBufferAvailableSchedulingTerm() override;
};

}  // namespace gxf
}  // namespace nvidia
