#include "gxr/error.hpp"

#include "document/secrets.hpp"

namespace gxr {

Error::Error(ErrorCode code, std::string message)
    : code_(code), message_(without_secrets(std::move(message))) {}

Error::~Error() = default;

const char* to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::Failure:
      return "failure";
    case ErrorCode::InvalidArgument:
      return "invalid-argument";
    case ErrorCode::OutOfRange:
      return "out-of-range";
    case ErrorCode::InvalidParameter:
      return "invalid-parameter";
    case ErrorCode::NotFound:
      return "not-found";
    case ErrorCode::NotAvailable:
      return "not-available";
    case ErrorCode::OutOfMemory:
      return "out-of-memory";
    case ErrorCode::Overflow:
      return "overflow";
    case ErrorCode::WrongType:
      return "wrong-type";
    case ErrorCode::InvalidData:
      return "invalid-data";
    case ErrorCode::InputOutput:
      return "input-output";
    case ErrorCode::NotSupported:
      return "not-supported";
    case ErrorCode::Incompatible:
      return "incompatible";
    case ErrorCode::Device:
      return "device";
    case ErrorCode::NotFinished:
      return "not-finished";
    case ErrorCode::InvalidState:
      return "invalid-state";
  }
  return "unknown";
}

}  // namespace gxr
