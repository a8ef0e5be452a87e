#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// The arguments of `gxr launch` as one text.
struct LaunchText {
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::string text;
  std::vector<Stretch> settings;  ///< arguments that are one KEY=VALUE, blanks included
};
[[nodiscard]] LaunchText join_arguments(const std::vector<std::string>& arguments);

/// A piece of the text.
struct LaunchWord {
  std::string_view text;
  Location where;
};

/// KEY=VALUE, or :KEY=VALUE without the colon.
struct LaunchSetting {
  LaunchWord key;
  LaunchWord value;  ///< YAML
};

struct LaunchElement {
  LaunchWord type;
  std::vector<LaunchSetting> parameters;
  std::vector<LaunchSetting> keys;  ///< of the entity
};

/// What may stand beside '!': an element, or the name of one with a dot and perhaps a port.
struct LaunchNode {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  LaunchWord word;
  std::size_t element = kNone;  ///< index of the element that the word makes
  std::string_view name;        ///< of the element that it only names
  std::string_view port;        ///< may be empty
};

/// Two nodes with '!' between them, by index.
struct LaunchLink {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// What a line says. Its texts are those of the text that was read.
struct LaunchLine {
  std::vector<LaunchElement> elements;
  std::vector<LaunchNode> nodes;
  std::vector<LaunchLink> links;
};

/// Reads the text of the source `source`, with arguments that are settings. Knows no types. What is
/// wrong goes to `diagnostics`; after many mistakes it stops.
[[nodiscard]] LaunchLine read_launch_line(std::string_view text,
                                          const std::vector<LaunchText::Stretch>& settings,
                                          std::uint16_t source, Diagnostics& diagnostics);

}  // namespace gxr
