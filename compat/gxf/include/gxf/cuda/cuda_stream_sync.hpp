#pragma once

#include "gxf/std/codelet.hpp"

namespace nvidia {
namespace gxf {

/// gxr's codelet that waits for the streams of messages; sources only name it.
class GXR_GXF_API CudaStreamSync : public Codelet {
 public:
  ~CudaStreamSync() override;
  /// gxr runs it: GXF_NOT_IMPLEMENTED for others.
  gxf_result_t tick() override;
};

}  // namespace gxf
}  // namespace nvidia
