#include "dds/echo.hpp"

#include <cstdio>
#include <string>

#include "dds/parts.hpp"
#include "dds/sample_text.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"

namespace gxr::dds {

void Echo::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages to print");
  interface.parameter(values_, "values", "Most values of a list that are printed; 0: all")
      .default_value(64);
}

void Echo::tick() {
  const Message message = in_.receive();
  message.wait_for_device();
  const auto* const sample = message.find<Sample>();
  const std::string text = (sample != nullptr ? sample_text(*sample, values_.get())
                                              : message_text(message, values_.get())) +
                           "---\n";
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorCode::InputOutput, "standard output cannot be written");
  }
}

}  // namespace gxr::dds
