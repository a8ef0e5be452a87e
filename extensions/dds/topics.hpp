#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dds/transport.hpp"
#include "gxr/topics.hpp"

namespace gxr::dds {

/// Finds the topics of DDS.
class Topics final : public TopicBrowser {
 public:
  std::vector<FoundTopic> topics(std::int32_t domain, std::chrono::nanoseconds wait,
                                 const std::string& until) override;
  std::string echo_line(const EchoRequest& request) override;
  std::vector<MessageDefinition> message_types() override;
  std::vector<MessageDefinition> definitions(const std::string& topic,
                                             std::chrono::nanoseconds wait) override;

 private:
  void join(const Membership& membership);
  [[nodiscard]] std::vector<MessageDefinition> definitions_of_end(
      const Endpoint& end, std::chrono::nanoseconds wait) const;

  std::shared_ptr<Participation> participation_;  // of the last topics()
  std::vector<Endpoint> endpoints_;
};

}  // namespace gxr::dds
