#pragma once

#include "gxf/serialization/component_serializer.hpp"
#include "gxf/serialization/entity_serializer.hpp"

namespace nvidia {
namespace gxf {

/// gxr's serializer in the format of recordings.
class GXR_GXF_API StdEntitySerializer final : public NativeEntitySerializer {
 public:
  using OnlyOfGxr = void;

  using NativeEntitySerializer::NativeEntitySerializer;
  ~StdEntitySerializer() override;
};

}  // namespace gxf
}  // namespace nvidia
