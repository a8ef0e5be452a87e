#pragma once

#include <cstdint>
#include <utility>

#include "gxf/core/entity.hpp"
#include "gxf/core/expected.hpp"

namespace nvidia {
namespace gxf {

/// Says that a stream has ended; -1: all streams. The same part of a message as gxr::EndOfStream.
class EndOfStream {
 public:
  EndOfStream() = default;
  explicit EndOfStream(int64_t stream_id) : stream_id_(stream_id) {}
  EndOfStream(EndOfStream&& other) noexcept : stream_id_(std::exchange(other.stream_id_, -1)) {}
  EndOfStream& operator=(EndOfStream&& other) noexcept {
    stream_id_ = std::exchange(other.stream_id_, -1);
    return *this;
  }
  EndOfStream(const EndOfStream&) = delete;
  EndOfStream& operator=(const EndOfStream&) = delete;
  ~EndOfStream() = default;

  /// A new message with nothing else in it.
  static Expected<Entity> createEoSMessage(gxf_context_t context, int64_t stream_id = -1) {
    Expected<Entity> message = Entity::New(context);
    if (!message) {
      return message;
    }
    const auto part = message.value().template add<EndOfStream>();
    if (!part) {
      return ForwardError(part);
    }
    part.value()->stream_id(stream_id);
    return message;
  }

  [[nodiscard]] int64_t stream_id() const { return stream_id_; }
  void stream_id(int64_t stream_id) { stream_id_ = stream_id; }

 private:
  int64_t stream_id_ = -1;
};

}  // namespace gxf
}  // namespace nvidia
