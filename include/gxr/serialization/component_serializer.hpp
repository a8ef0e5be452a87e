#pragma once

#include <cstdint>
#include <string_view>

#include "gxr/allocator.hpp"
#include "gxr/component.hpp"
#include "gxr/interface.hpp"
#include "gxr/message.hpp"
#include "gxr/serialization/endpoint.hpp"

namespace gxr {

/// Under which type and name a part is recorded.
struct RecordedAs {
  TypeId type;                   ///< of the part in the recording
  std::string_view name_prefix;  ///< before the part's name; a literal
};

/// Writes and reads the parts of some types. Has no state that calls change, so that several
/// entities may share one.
class GXR_API ComponentSerializer : public Component {
 public:
  ~ComponentSerializer() override;

  /// Can parts of this type be written, or read when a file holds them?
  [[nodiscard]] virtual bool supports(TypeId type) const = 0;
  /// The part's own type and name, unless overridden.
  [[nodiscard]] virtual RecordedAs recorded_as(TypeId type) const;
  /// Writes what follows the component header; returns its bytes. Precondition: supports(part.id).
  virtual std::uint64_t serialize(const detail::Part& part, Endpoint& endpoint) = 0;
  /// Reads the same and adds the part to `message`. Throws Error(InvalidData) for what cannot be a
  /// part. Precondition: supports(type).
  virtual void deserialize(TypeId type, std::string_view name, Message& message,
                           Endpoint& endpoint) = 0;
};

/// Tensor, Timestamp and all numbers as GXF records them; VideoBuffer and AudioBuffer as tensors
/// that carry their description (docs/recordings.md).
class GXR_API StdComponentSerializer final : public ComponentSerializer {
 public:
  ~StdComponentSerializer() override;
  void declare(Interface& interface) override;
  [[nodiscard]] bool supports(TypeId type) const override;
  [[nodiscard]] RecordedAs recorded_as(TypeId type) const override;
  std::uint64_t serialize(const detail::Part& part, Endpoint& endpoint) override;
  void deserialize(TypeId type, std::string_view name, Message& message,
                   Endpoint& endpoint) override;

 private:
  Parameter<Handle<Allocator>> allocator_;
};

}  // namespace gxr
