#include "gxr/report.hpp"

namespace gxr {

const char* to_string(EndReason reason) noexcept {
  switch (reason) {
    case EndReason::Completed:
      return "completed";
    case EndReason::Deadlock:
      return "deadlock";
    case EndReason::Duration:
      return "duration";
    case EndReason::Interrupted:
      return "interrupted";
    case EndReason::Failed:
      return "failed";
  }
  return "unknown";
}

std::string describe(const Failure& failure) {
  std::string text = failure.method;
  if (!failure.entity.empty()) {
    text += " of entity '" + failure.entity + "'";
  }
  if (!failure.component.empty()) {
    text += ", component '" + failure.component + "'";
  }
  if (!failure.type.empty()) {
    text += " (" + failure.type + ")";
  }
  return text + ": " + failure.text;
}

}  // namespace gxr
