#include "rank_run/rank_transport.hpp"

namespace gxr {

RankTransport::~RankTransport() = default;

bool RankTransport::poll(const std::atomic<bool>& /*stop*/, std::int64_t /*most*/) { return false; }

void RankTransport::send_to_all(RankFrame kind, const RankBytes& body) {
  for (Rank other = 0; other < ranks(); ++other) {
    if (other != rank()) {
      send(other, kind, 0, body);
    }
  }
}

}  // namespace gxr
