#pragma once

#include "gxf/core/component.hpp"

/// What the scheduler does after a tick that a controller has looked at.
enum gxf_execution_status_t {
  GXF_EXECUTE_SUCCESS = 0,             ///< the entity goes on while its behaviour is "running"
  GXF_EXECUTE_FAILURE_REPEAT = 1,      ///< the entity goes on
  GXF_EXECUTE_FAILURE_DEACTIVATE = 2,  ///< the entity is stopped, the others go on
  GXF_EXECUTE_FAILURE = 3,             ///< the run ends with an error
};

/// A controller's answer.
struct gxf_controller_status_t {
  gxf_controller_status_t(
      entity_state_t behavior = GXF_BEHAVIOR_SUCCESS,  // NOLINT(google-explicit-constructor)
      gxf_execution_status_t execution = GXF_EXECUTE_SUCCESS)
      : behavior_status(behavior), exec_status(execution) {}

  entity_state_t behavior_status;
  gxf_execution_status_t exec_status;
};

namespace nvidia {
namespace gxf {

using ::gxf_controller_status_t;
using ::GXF_EXECUTE_FAILURE;
using ::GXF_EXECUTE_FAILURE_DEACTIVATE;
using ::GXF_EXECUTE_FAILURE_REPEAT;
using ::GXF_EXECUTE_SUCCESS;
using ::gxf_execution_status_t;

/// Decides after each tick how its entity goes on. Sources may derive from it.
class GXR_GXF_API Controller : public Component {
 public:
  ~Controller() override;

  /// `code` is GXF_NOT_FINISHED when a codelet returned that; any other error of a codelet is
  /// GXF_FAILURE.
  virtual gxf_controller_status_t control(gxf_uid_t eid, Expected<void> code) = 0;

  // Of the layer.
  gxr::Component* make_adapter() override;
};

}  // namespace gxf
}  // namespace nvidia
