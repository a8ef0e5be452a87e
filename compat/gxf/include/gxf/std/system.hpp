#pragma once

#include "gxf/core/component.hpp"

namespace nvidia {
namespace gxf {

/// What runs the application. It is gxr's own: the functions return GXF_NOT_IMPLEMENTED, and
/// sources cannot derive from it.
class GXR_GXF_API System : public Component {
 public:
  using OnlyOfGxr = void;

  ~System() override;

  virtual gxf_result_t schedule_abi(gxf_uid_t eid);
  virtual gxf_result_t unschedule_abi(gxf_uid_t eid);
  virtual gxf_result_t runAsync_abi();
  virtual gxf_result_t stop_abi();
  virtual gxf_result_t wait_abi();
  virtual gxf_result_t event_notify_abi(gxf_uid_t eid, gxf_event_t event);
};

}  // namespace gxf
}  // namespace nvidia
