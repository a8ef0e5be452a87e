#pragma once

#include <chrono>
#include <cstdint>
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

 private:
  std::vector<Endpoint> endpoints_;
};

}  // namespace gxr::dds
