#pragma once

#include <cstdint>
#include <vector>

namespace acme {
namespace ping {

// A part of messages with a type of its own. The extension registers it without a base.
struct PingMessage {
  int64_t sequence = -1;
  int64_t sent_at = 0;  // ns, by the clock of the sender; 0 without a clock
  std::vector<float> payload;
};

}  // namespace ping
}  // namespace acme
