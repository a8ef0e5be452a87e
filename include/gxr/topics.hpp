#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/export.hpp"

namespace gxr {

/// An application or another program that publishes on a topic, or subscribes to it.
struct TopicEnd {
  bool publishes = false;  ///< else it subscribes
  std::string name;        ///< as it calls itself; may be empty
  std::string process;     ///< "gxr 4711 at robot", as far as known; may be empty
  std::string qualities;   ///< for people: "reliable, depth 8"
};

/// What programs that need not know each other exchange under one name.
struct FoundTopic {
  std::string name;            ///< "/camera/image"
  std::string type;            ///< of its messages; of several, separated by ", "
  std::vector<TopicEnd> ends;  ///< publishers first
};

/// What `gxr echo` shows of a topic.
struct EchoRequest {
  std::int32_t domain = 0;   ///< where the topic is
  std::string topic;         ///< its name
  std::uint64_t count = 0;   ///< messages after which it ends; 0: none
  std::uint64_t values = 0;  ///< of a list, that are printed at most; 0: all
  std::string pictures;      ///< pattern of files for pictures, as "%d.png"; empty: text
};

/// Finds the topics of a family, as DDS, for `gxr list topics` and `gxr echo`, which make a
/// component of each such type. It stands in no application: only the functions here are called,
/// without initialize() and without a Context.
class GXR_API TopicBrowser : public Component {
 public:
  ~TopicBrowser() override;

  /// The topics of a domain that are found within `wait`, or until somebody publishes on the topic
  /// `until`, if that is not empty; by name. Throws Error.
  virtual std::vector<FoundTopic> topics(std::int32_t domain, std::chrono::nanoseconds wait,
                                         const std::string& until) = 0;
  /// The elements of a line for `gxr launch` that prints messages of a topic which topics() has
  /// found. Throws Error(NotSupported) for one whose messages cannot be read.
  virtual std::string echo_line(const EchoRequest& request) = 0;
};

}  // namespace gxr
