#pragma once

#include <string>
#include <vector>

namespace acme {
namespace recorder {

// A part of messages that the serializers of GXF do not know.
struct Note {
  std::string text;
  std::vector<float> values;
};

}  // namespace recorder
}  // namespace acme
