#pragma once

#include "gxf/serialization/entity_serializer.hpp"

namespace nvidia {
namespace gxf {

/// gxr's serializer that passes messages on inside the process.
class GXR_GXF_API StdEntityIdSerializer final : public NativeEntitySerializer {
 public:
  using OnlyOfGxr = void;

  using NativeEntitySerializer::NativeEntitySerializer;
  ~StdEntityIdSerializer() override;
};

}  // namespace gxf
}  // namespace nvidia
