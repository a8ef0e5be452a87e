#include "dds/topic_parameters.hpp"

#include <chrono>

#include "dds/load_cyclone.hpp"
#include "gxr/error.hpp"
#include "gxr/log.hpp"

namespace gxr::dds {
namespace {

constexpr double kMostSamples = 10000;
constexpr std::chrono::milliseconds kShortestDeadline(1);

/// Of ends that name no participant; `domain` does not matter.
Membership& membership_without_participant() {
  static Membership membership = [] {
    Membership by_default;
    by_default.name = "gxr";
    return by_default;
  }();
  return membership;
}

}  // namespace

void TopicParameters::declare(Interface& interface) {
  interface.parameter(topic_, "topic", "Name of the topic, as '/camera/image'",
                      "In DDS, a topic of gxr's own type is called 'camera/image', and one of a "
                      "type of ROS 2 'rt/camera/image'.");
  interface
      .parameter(type_, "type", "Type of the samples",
                 "gxr/v1/Message carries tensors, pictures, timestamps, numbers and texts. With the "
                 "types of ROS 2, messages have a gxr::dds::Sample, which gxr::dds::FromRos and "
                 "gxr::dds::ToRos turn into such parts and back.")
      .default_value(kOwnMessages);
  interface
      .parameter(domain_, "domain", "Number of the domain: only those of the same one meet",
                 "In place of a 'participant', for a network where nothing else is to be said.")
      .range(0, kLastDomain)
      .optional();
  interface
      .parameter(participant_, "participant", "How the application takes part in a domain",
                 "Without it: in 'domain', as a gxr::dds::Participant does by default.")
      .optional();
  interface
      .parameter(partitions_, "partitions", "Only those that have one of them in common meet",
                 "A name at one of the two ends may have '*' and '?' in it; two such patterns never match. "
                 "Without any: the partition without a name.")
      .default_value({});
  interface
      .parameter(reliability_, "reliability", "Are samples sent again that got lost?",
                 "best_effort: they are not. A publisher with best_effort does not meet a "
                 "subscriber that asks for reliable.")
      .default_value(Reliability::Reliable);
  interface
      .parameter(durability_, "durability", "Do subscribers that come later get the last samples?",
                 "transient_local: they do, as many as 'depth' says, while the publisher is there. "
                 "A publisher with volatile does not meet a subscriber that asks for that.")
      .default_value(Durability::Volatile);
  interface
      .parameter(depth_, "depth", "Samples that are kept for whoever has not taken them",
                 "A new one takes the place of the oldest. 0: all are kept, and the publisher waits "
                 "for reliable subscribers.")
      .range(0, kMostSamples)
      .default_value(8);
  interface
      .parameter(deadline_, "deadline", "Longest time between two samples; 0: any",
                 "At least 1ms. A publisher promises it, a subscriber asks for it; each time that it is "
                 "not kept counts.")
      .default_value({});
  interface
      .parameter(ownership_, "ownership", "Do several publishers share the topic?",
                 "exclusive: subscribers hear only the one with the greatest 'strength' that is "
                 "there. Both ends must say the same.")
      .default_value(Ownership::Shared);
}

EndpointOptions TopicParameters::options(const std::string& name) const {
  EndpointOptions options;
  options.type = &type();
  options.topic = wire_topic(topic_.get(), type());
  options.name = name;
  Qualities& qualities = options.qualities;
  qualities.reliability = reliability_.get();
  qualities.durability = durability_.get();
  qualities.depth = depth_.get();
  qualities.deadline = std::chrono::nanoseconds(deadline_.get().nanoseconds);
  if (qualities.deadline.count() > 0 && qualities.deadline < kShortestDeadline) {
    throw Error(ErrorCode::InvalidParameter, "'deadline' must be 0 or at least 1ms");
  }
  qualities.ownership = ownership_.get();
  qualities.partitions = partitions_.get();
  return options;
}

std::shared_ptr<Participation> TopicParameters::join(const Component& owner) const {
  Membership membership = membership_without_participant();
  if (const auto& participant = participant_.try_get()) {
    if (domain_.try_get()) {
      throw Error(ErrorCode::InvalidParameter,
                  "'domain' has no effect beside 'participant', which has a 'domain' of its own");
    }
    membership = (*participant)->membership();
  } else {
    membership.domain = domain_.try_get().value_or(0);
  }
  return library().join(membership, [&owner](std::string_view text) {
    owner.context().log(LogLevel::Warn, owner, std::string("Cyclone DDS: ") + std::string(text));
  });
}

void TopicParameters::set_membership_without_participant(const Membership& membership) {
  membership_without_participant() = membership;
}

Endpoint TopicParameters::endpoint(const EndpointOptions& options, bool writes) {
  Endpoint endpoint;
  endpoint.writes = writes;
  endpoint.is_own = true;
  endpoint.topic = options.topic;
  endpoint.type = options.type->wire_name;
  endpoint.type_hash = options.type->type_hash;
  endpoint.name = options.name;
  endpoint.qualities = options.qualities;
  return endpoint;
}

}  // namespace gxr::dds
