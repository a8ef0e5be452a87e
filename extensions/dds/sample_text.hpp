#pragma once

#include <cstddef>
#include <string>

#include "dds/parts.hpp"
#include "gxr/message.hpp"

namespace gxr::dds {

/// What a sample holds, as YAML. Of lists of numbers, so many values are printed; 0: all.
[[nodiscard]] std::string sample_text(const Sample& sample, std::size_t most_values);

/// The parts of a message that gxr/v1/Message can have, as YAML.
[[nodiscard]] std::string message_text(const Message& message, std::size_t most_values);

}  // namespace gxr::dds
