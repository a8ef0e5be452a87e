#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/message.hpp"

namespace gxr {

/// A tensor made small, for people who look at what passes.
struct Preview {
  /// Greatest extent of a picture, and most values of a line.
  static constexpr std::uint32_t kMostWidth = 320;
  static constexpr std::uint32_t kMostHeight = 240;
  static constexpr std::uint32_t kMostValues = 512;

  std::string part;   ///< name of the tensor; may be empty
  std::string shape;  ///< as Shape::to_string()
  std::string type;   ///< of its elements
  /// Of a picture; 0: it is none.
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 0;        ///< 1, 3 or 4
  std::vector<std::uint8_t> pixels;  ///< width * height * channels, row by row
  std::vector<double> values;  ///< of a line: elements at equal distances, the first among them
  /// The values that 0 and 255 stand for in a picture; the least and greatest ones of a line. Those
  /// of the elements that were looked at. Elements of type uint8 stay as they are: 0 and 255.
  double low = 0;
  double high = 0;
  std::string why_not;  ///< there is neither picture nor line; empty: there is
};

/// Of the first tensor of a message. A tensor is a picture if it has two dimensions, or a third one
/// of 1, 3 or 4 channels, at the end or in front; everything else is a line. Looks at up to 310,000
/// elements, never the picture as a whole, and keeps nothing of the message.
Preview preview_of(const Message& message);

}  // namespace gxr
