#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"
#include "gxr/message.hpp"
#include "gxr/serialization/component_serializer.hpp"
#include "gxr/serialization/endpoint.hpp"

namespace gxr {

/// Writes messages to an endpoint and reads them back. Several entities may share one.
class GXR_API EntitySerializer : public Component {
 public:
  ~EntitySerializer() override;

  /// Returns the number of bytes written.
  virtual std::uint64_t serialize(const Message& message, Endpoint& endpoint) = 0;
  /// A new message. Throws Error(InvalidData) for bytes that are no message.
  virtual Message deserialize(Endpoint& endpoint) = 0;
};

/// GXF's format: a header, then every part with a header of its own (docs/recordings.md).
class GXR_API StdEntitySerializer : public EntitySerializer {
 public:
  /// `verbose_warning` is the default of the parameter of that name.
  explicit StdEntitySerializer(bool verbose_warning = true) noexcept
      : verbose_default_(verbose_warning) {}
  ~StdEntitySerializer() override;
  void declare(Interface& interface) override;
  void initialize() override;
  std::uint64_t serialize(const Message& message, Endpoint& endpoint) override;
  Message deserialize(Endpoint& endpoint) override;

 private:
  [[nodiscard]] ComponentSerializer* find(TypeId type) const;
  std::uint64_t serialize_part(const detail::Part& part, Endpoint& endpoint) const;
  void deserialize_part(Message& message, Endpoint& endpoint, std::string& name) const;
  void check_sequence(std::uint64_t sequence);

  Parameter<std::vector<Handle<ComponentSerializer>>> component_serializers_;
  Parameter<bool> verbose_warning_;
  std::atomic<std::uint64_t> next_written_{0};
  std::atomic<std::uint64_t> next_read_{0};
  std::atomic<bool> reported_{false};  // a part that was left out
  bool verbose_default_;
};

/// Passes a message on inside the process: 16 bytes that name it go through the endpoint, its
/// content stays where it is. Writer and reader use the same component.
class GXR_API StdEntityIdSerializer final : public EntitySerializer {
 public:
  ~StdEntityIdSerializer() override;
  void deinitialize() override;
  std::uint64_t serialize(const Message& message, Endpoint& endpoint) override;
  Message deserialize(Endpoint& endpoint) override;

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, Message> under_way_;  // by number
  std::uint64_t next_ = 1;
};

}  // namespace gxr
