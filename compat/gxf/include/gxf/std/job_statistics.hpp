#pragma once

#include "gxf/std/monitor.hpp"

namespace nvidia {
namespace gxf {

/// gxr's monitor that counts and times executions; it has parameters only.
class GXR_GXF_API JobStatistics final : public Monitor {
 public:
  using OnlyOfGxr = void;

  ~JobStatistics() override;
  /// GXF_NOT_IMPLEMENTED: gxr calls its monitors itself.
  gxf_result_t on_execute_abi(gxf_uid_t eid, uint64_t timestamp, gxf_result_t code) override;
};

}  // namespace gxf
}  // namespace nvidia
