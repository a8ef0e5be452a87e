#pragma once

#include "gxf/serialization/entity_serializer.hpp"
#include "gxf/serialization/file_stream.hpp"
#include "gxf/std/codelet.hpp"

namespace nvidia {
namespace gxf {

/// gxr's codelet that plays the messages of files; it has parameters only.
class GXR_GXF_API EntityReplayer final : public Codelet {
 public:
  using OnlyOfGxr = void;

  ~EntityReplayer() override;
  /// GXF_NOT_IMPLEMENTED: gxr calls its codelets itself.
  gxf_result_t tick() override;
};

}  // namespace gxf
}  // namespace nvidia
