#pragma once

#include <cstdint>
#include <string_view>

#include "gxr/serialization/component_serializer.hpp"

namespace gxr::dds {

/// Writes samples of ROS 2, and texts, into recordings and reads them.
class SampleSerializer final : public ComponentSerializer {
 public:
  [[nodiscard]] bool supports(TypeId type) const override;
  std::uint64_t serialize(const gxr::detail::Part& part, gxr::Endpoint& endpoint) override;
  void deserialize(TypeId type, std::string_view name, Message& message,
                   gxr::Endpoint& endpoint) override;
};

}  // namespace gxr::dds
