#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/error.hpp"

namespace gxr {

/// The Context of components that are made only to be asked: whatever they want of it is refused,
/// with Error(InvalidState) and this text.
class NoApplication final : public Context {
 public:
  explicit NoApplication(std::string why) : why_(std::move(why)) {}

  Message new_message() override { refuse(); }
  Message new_message_for(const Component&) override { refuse(); }
  void interrupt() override { refuse(); }
  void notify(const Component&) override { refuse(); }
  void log(LogLevel, const Component&, std::string_view) override { refuse(); }
  [[nodiscard]] Behavior behavior(std::uint32_t) const override { refuse(); }
  [[nodiscard]] std::int64_t clock_time() const override { refuse(); }
  [[nodiscard]] int device_id(const Component&) const override { refuse(); }
  [[nodiscard]] std::vector<Component*> siblings(const Component&) const override { refuse(); }

 private:
  [[noreturn]] void refuse() const { throw Error(ErrorCode::InvalidState, why_); }

  std::string why_;
};

}  // namespace gxr
