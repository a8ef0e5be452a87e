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

/// A field of a type of messages, a value of an enumeration, or a bit of a mask.
struct MessageField {
  std::string type;  ///< "uint8[]", "float64[9]", "std_msgs/msg/Header"; empty: a value or a bit
  std::string name;  ///< as its program declares it
  std::string note;  ///< "key", "optional", "1, 2" for the cases of a union, "3" for a value

  /// Are all members equal?
  friend bool operator==(const MessageField&, const MessageField&) = default;
};

/// A type of messages.
struct MessageDefinition {
  std::string name;       ///< "sensor_msgs/msg/Image"
  std::string wire_name;  ///< in the network: "sensor_msgs::msg::dds_::Image_"
  std::string kind;       ///< "structure", "union", "enumeration", "mask" or "alias"
  std::string hash;       ///< by which others tell definitions with one name apart; may be empty
  std::string unknown;    ///< why the fields are not known; empty: they are
  std::vector<MessageField> fields;  ///< in the order of their program

  /// Are all members equal?
  friend bool operator==(const MessageDefinition&, const MessageDefinition&) = default;
};

/// Where topics are looked for.
struct TopicNetwork {
  std::int32_t domain = 0;              ///< only those of the same number meet
  std::vector<std::string> interfaces;  ///< names or addresses of those to use; none: the default
  std::vector<std::string> peers;       ///< addresses of machines, besides those found by default

  /// Are all members equal?
  friend bool operator==(const TopicNetwork&, const TopicNetwork&) = default;
};

/// What `gxr echo` shows of a topic.
struct EchoRequest {
  TopicNetwork network;      ///< where the topic is
  std::string topic;         ///< its name
  std::uint64_t count = 0;   ///< messages after which it ends; 0: none
  std::uint64_t values = 0;  ///< of a list, that are printed at most; 0: all
  std::string pictures;      ///< pattern of files for pictures, as "%d.png"; empty: text
};

/// Finds the topics of a family, as DDS, for `gxr list topics`, `gxr describe` and `gxr echo`,
/// which make a component of each such type. It stands in no application: only the functions here
/// are called, without initialize() and without a Context.
class GXR_API TopicBrowser : public Component {
 public:
  ~TopicBrowser() override;

  /// The topics that are found within `wait`, or until somebody publishes on the topic
  /// `until`, if that is not empty; by name. Throws Error.
  virtual std::vector<FoundTopic> topics(const TopicNetwork& network, std::chrono::nanoseconds wait,
                                         const std::string& until) = 0;
  /// Remarks of the network in the last topics(), for people, such as that a peer is not known.
  /// None by default.
  [[nodiscard]] virtual std::vector<std::string> remarks() const;
  /// The elements of a line for `gxr launch` that prints messages of a topic which topics() has
  /// found, when this process runs it. Throws Error(NotSupported) for one whose messages cannot be
  /// read.
  virtual std::string echo_line(const EchoRequest& request) = 0;
  /// The types of messages that this knows by itself, those that others contain first. None by
  /// default.
  virtual std::vector<MessageDefinition> message_types();
  /// The one of message_types() with this name, also in the network, then the types of its fields,
  /// each once. Empty: there is none.
  [[nodiscard]] std::vector<MessageDefinition> definitions_of_type(const std::string& name);
  /// The type of a topic that topics() has found, then the types of its fields, each once; where
  /// the ends of the topic do not agree, those of each of them. Where gxr does not know a type,
  /// asks the programs on the topic, each at most for `wait`; with 0, nobody. Throws Error. None by
  /// default.
  virtual std::vector<MessageDefinition> definitions(const std::string& topic,
                                                     std::chrono::nanoseconds wait);
};

}  // namespace gxr
