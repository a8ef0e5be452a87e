#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dds/transport.hpp"
#include "gxr/topics.hpp"

namespace gxr::dds {

/// Finds the topics of DDS.
class Topics final : public TopicBrowser {
 public:
  std::vector<FoundTopic> topics(const TopicNetwork& network, std::chrono::nanoseconds wait,
                                 const std::string& until) override;
  [[nodiscard]] std::vector<std::string> remarks() const override;
  std::string echo_line(const EchoRequest& request) override;
  std::vector<MessageDefinition> message_types() override;
  std::vector<MessageDefinition> definitions(const std::string& topic,
                                             std::chrono::nanoseconds wait) override;

 private:
  void join();
  [[nodiscard]] static Qualities least_of(const std::vector<const Endpoint*>& publishers);
  [[nodiscard]] std::vector<MessageDefinition> definitions_of_end(const Endpoint& end,
                                                                  std::chrono::nanoseconds wait);

  // Of the last topics():
  Membership membership_;
  std::shared_ptr<Participation> participation_;
  std::vector<Endpoint> endpoints_;
  struct Remarks {
    std::mutex mutex;
    std::vector<std::string> texts;  // of the library, each once
  };
  std::shared_ptr<Remarks> remarks_;
};

}  // namespace gxr::dds
