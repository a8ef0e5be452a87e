#include "ranks/rank_channels.hpp"

#include <algorithm>
#include <optional>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"

namespace gxr {
namespace {

/// What a queue before the receiver does when it is full.
OverflowPolicy policy_before(const GraphComponent& receiver, const TypeCatalog& catalog) {
  if (catalog.is_a(*receiver.type, "gxr::AsyncBufferReceiver")) {
    return OverflowPolicy::Pop;  // a mailbox keeps the newest message
  }
  const Capability* const plain = receiver.capability(Capability::Kind::PlainQueue);
  const std::optional<std::uint64_t> policy =
      plain != nullptr ? unsigned_parameter(receiver, plain->key(1)) : std::nullopt;
  return static_cast<OverflowPolicy>(
      std::min(policy.value_or(2), static_cast<std::uint64_t>(OverflowPolicy::Fault)));
}

}  // namespace

std::vector<RankChannel> rank_channels(const RankPlan& plan, const TypeCatalog& catalog) {
  std::vector<RankChannel> channels;
  for (const RankLink& link : plan.links) {
    auto channel = std::ranges::find_if(channels, [&](const RankChannel& known) {
      return known.receiver == link.link.receiver && known.from == link.from;
    });
    if (channel == channels.end()) {
      const GraphComponent& receiver = plan.graph->components[link.link.receiver];
      channels.push_back({link.from,
                          link.to,
                          {},
                          receiver.id,
                          capacity_of(receiver).value_or(1),
                          policy_before(receiver, catalog)});
      channel = channels.end() - 1;
    }
    channel->transmitters.push_back(link.link.transmitter);
  }
  return channels;
}

}  // namespace gxr
