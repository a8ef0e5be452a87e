#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/type_info.hpp"

namespace gxr {

/// An input port that messages of an output come to, through connections and through codelets that
/// pass messages on.
struct Consumer {
  std::string codelet;  ///< "entity/component"
  PortInfo port;        ///< what the port declares
};

/// A second base of codelets that send what others need, such as a source that can deliver pictures
/// of several formats.
class GXR_API ConsumerAware {
 public:
  ConsumerAware() = default;
  ConsumerAware(const ConsumerAware&) = delete;
  ConsumerAware& operator=(const ConsumerAware&) = delete;
  virtual ~ConsumerAware();

  /// Tells which input ports get what the output port `key` sends; only those that declare parts.
  /// Called for each output port that declares itself, after the parameters are set, and before
  /// infer() and initialize(). Keep it: what does not fit is to be thrown by those.
  virtual void set_consumers(std::string_view key, std::vector<Consumer> consumers) = 0;
};

}  // namespace gxr
