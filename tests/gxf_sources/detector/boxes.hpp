#pragma once

#include <cstdint>
#include <vector>

namespace nvidia {
namespace meadow {

struct Box {
  int32_t label = 0;
  float score = 0.0f;
  float x = 0.0f;
  float y = 0.0f;
  float width = 0.0f;
  float height = 0.0f;
};

// The boxes of an image, the best one first. A part of messages.
struct BoxList {
  std::vector<Box> boxes;
};

}  // namespace meadow
}  // namespace nvidia
