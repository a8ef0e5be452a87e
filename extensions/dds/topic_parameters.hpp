#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dds/participant.hpp"
#include "dds/qualities.hpp"
#include "dds/transport.hpp"
#include "gxr/interface.hpp"

namespace gxr::dds {

/// What Publisher and Subscriber both declare: the topic, its type and its qualities.
class TopicParameters {
 public:
  void declare(Interface& interface);

  /// Of the end; for a publisher, without what only publishers have. `name`: of the end.
  [[nodiscard]] EndpointOptions options(const std::string& name) const;
  [[nodiscard]] const Description& type() const { return describe(type_.get()); }
  /// Joins the domain. Throws what Library::join() throws, and Error(InvalidParameter) for a domain
  /// beside a participant.
  [[nodiscard]] std::shared_ptr<Participation> join(const Component& owner) const;
  /// How ends of this process take part that name no participant, in the domain that they name. Not
  /// while an application runs.
  static void set_membership_without_participant(const Membership& membership);
  /// The end as others see it, without a guid.
  [[nodiscard]] static Endpoint endpoint(const EndpointOptions& options, bool writes);

 private:
  Parameter<std::string> topic_;
  Parameter<MessageType> type_;
  Parameter<std::int32_t> domain_;
  Parameter<Handle<Participant>> participant_;
  Parameter<std::vector<std::string>> partitions_;
  Parameter<Reliability> reliability_;
  Parameter<Durability> durability_;
  Parameter<std::uint32_t> depth_;
  Parameter<Duration> deadline_;
  Parameter<Ownership> ownership_;
};

}  // namespace gxr::dds
