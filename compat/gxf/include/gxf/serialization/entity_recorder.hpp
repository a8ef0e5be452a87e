#pragma once

#include "gxf/serialization/entity_serializer.hpp"
#include "gxf/serialization/file_stream.hpp"
#include "gxf/std/codelet.hpp"

namespace nvidia {
namespace gxf {

/// gxr's codelet that writes messages to files; it has parameters only.
class GXR_GXF_API EntityRecorder final : public Codelet {
 public:
  using OnlyOfGxr = void;

  ~EntityRecorder() override;
  /// GXF_NOT_IMPLEMENTED: gxr calls its codelets itself.
  gxf_result_t tick() override;
};

}  // namespace gxf
}  // namespace nvidia
