#pragma once

#include <cstdint>

#include "gxf/core/component.hpp"

namespace nvidia {
namespace gxf {

/// Watches the executions of all entities. Sources may derive from it.
class GXR_GXF_API Monitor : public Component {
 public:
  ~Monitor() override;

  /// Called after each execution, on its thread; several threads may call it at a time.
  virtual gxf_result_t on_execute_abi(gxf_uid_t eid, uint64_t timestamp, gxf_result_t code) = 0;
  Expected<void> onExecute(gxf_uid_t eid, uint64_t timestamp, gxf_result_t code);

  // Of the layer.
  gxr::Component* make_adapter() override;
};

}  // namespace gxf
}  // namespace nvidia
