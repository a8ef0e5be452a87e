#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "gxr/export.hpp"

namespace gxr {

/// What kind of failure an Error reports; stable, printed by name.
enum class ErrorCode : std::uint8_t {
  Failure,           ///< anything without a better name
  InvalidArgument,   ///< a call's argument breaks its contract
  OutOfRange,        ///< a value lies outside its documented range
  InvalidParameter,  ///< a parameter of a component is missing or cannot work
  NotFound,          ///< a file, part, component or type does not exist
  NotAvailable,      ///< a message, block or feature is not there now
  OutOfMemory,       ///< an allocator has nothing left
  Overflow,          ///< a queue with policy `fault` got one message too many
  WrongType,         ///< a part, tensor or handle has another type than needed
  InvalidData,       ///< a file or message does not hold what it should
  InputOutput,       ///< the operating system refused to read or write
  NotSupported,      ///< known, but not in this build or for these inputs
  Incompatible,      ///< an extension was built for another gxr
  InvalidState,      ///< called at the wrong time of the life cycle
  Device,            ///< CUDA refused a call, or work on a GPU failed
  NotFinished,       ///< a codelet's tick leaves its work unfinished; see Controller
};

/// "out-of-range", "not-found", …
GXR_API const char* to_string(ErrorCode code) noexcept;

/// The one exception type of gxr. Components throw it (or any std::exception); the engine catches
/// at the call boundary and reports entity, component, type and method beside the text.
class GXR_API Error : public std::exception {
 public:
  /// `message` says what is wrong and what to change, for people.
  Error(ErrorCode code, std::string message);
  /// Error(Failure).
  explicit Error(std::string message) : Error(ErrorCode::Failure, std::move(message)) {}
  /// Copies code and text.
  Error(const Error&) = default;
  /// Copies code and text.
  Error& operator=(const Error&) = default;
  ~Error() override;  // key function: one type_info, in libgxr.so

  /// The kind of failure.
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }
  /// The text.
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  /// The text, valid as long as the object.
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
};

}  // namespace gxr
