#pragma once

#include "gxf/serialization/component_serializer.hpp"

namespace nvidia {
namespace gxf {

/// gxr's serializer of tensors, timestamps and numbers.
class GXR_GXF_API StdComponentSerializer final : public NativeComponentSerializer {
 public:
  using OnlyOfGxr = void;

  using NativeComponentSerializer::NativeComponentSerializer;
  ~StdComponentSerializer() override;
};

}  // namespace gxf
}  // namespace nvidia
