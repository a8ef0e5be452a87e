#pragma once

#include "gxf/std/system.hpp"

namespace nvidia {
namespace gxf {

class EntityExecutor;

/// A scheduler of gxr. Sources cannot derive from it.
class GXR_GXF_API Scheduler : public System {
 public:
  ~Scheduler() override;

  virtual gxf_result_t prepare_abi(EntityExecutor* executor);
};

}  // namespace gxf
}  // namespace nvidia
