#include "dds/topics.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "dds/load_cyclone.hpp"
#include "dds/message_type.hpp"
#include "dds/topic_parameters.hpp"
#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

/// The first that an end says of itself is that it is there; its partners come a little later.
constexpr std::chrono::milliseconds kForOthers{100};
constexpr std::size_t kMostRemarks = 16;

/// Waits for somebody who publishes on a topic.
class Awaited final : public EndpointListener {
 public:
  explicit Awaited(std::string topic) : topic_(std::move(topic)) {}

  void on_endpoint(const Endpoint& endpoint, bool is_there) override {
    if (is_there && endpoint.writes && topic_name(endpoint.topic) == topic_) {
      const std::lock_guard lock(mutex_);
      found_ = true;
      changed_.notify_all();
    }
  }

  bool wait_for(std::chrono::nanoseconds limit) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [this] { return found_; });
  }

 private:
  std::string topic_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool found_ = false;
};

/// In the line of an application.
std::string launch_quoted(const std::string& value) {
  std::string text = "'";
  for (const char c : value) {
    text += c == '\'' ? "''" : std::string(1, c);
  }
  return text + "'";
}

/// A name that the pattern matches: two patterns never match.
std::string name_for(const std::string& partition) {
  std::string name;
  for (const char c : partition) {
    name += c == '*' || c == '?' ? 'x' : c;
  }
  return name;
}

/// In the line of an application: a partition of each.
std::string partitions_of(const std::vector<const Endpoint*>& publishers) {
  std::set<std::string> names;
  for (const Endpoint* const each : publishers) {
    const auto& partitions = each->qualities.partitions;
    names.insert(partitions.empty() ? "" : name_for(partitions.front()));
  }
  if (names.size() == 1 && names.contains("")) {
    return {};
  }
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? " partitions=[" : ", ") + launch_quoted(name);
  }
  return list + "]";
}

/// Is it where gxr has topics of that type?
bool has_usual_topic(const Endpoint& endpoint) {
  const Description* const type = find_by_wire_name(endpoint.type);
  return type == nullptr ||
         endpoint.topic == (type->is_ros() ? "rt" : "") +
                               topic_name(endpoint.topic).substr(type->is_ros() ? 0 : 1);
}

}  // namespace

std::vector<FoundTopic> Topics::topics(const TopicNetwork& network, std::chrono::nanoseconds wait,
                                       const std::string& until) {
  membership_ = {};
  membership_.domain = network.domain;
  membership_.interfaces = network.interfaces;
  membership_.peers = network.peers;
  membership_.name = "gxr";
  participation_.reset();
  join();
  Awaited awaited(until);
  participation_->watch(awaited);
  const bool found = awaited.wait_for(wait);
  if (found) {
    static_cast<void>(Awaited("").wait_for(std::min<std::chrono::nanoseconds>(wait, kForOthers)));
  }
  participation_->unwatch(awaited);
  endpoints_ = participation_->endpoints();
  std::erase_if(endpoints_, [](const Endpoint& each) { return each.is_own; });
  std::ranges::stable_sort(endpoints_, [](const Endpoint& a, const Endpoint& b) {
    return std::pair(!a.writes, a.name) < std::pair(!b.writes, b.name);
  });

  std::map<std::string, FoundTopic> found_topics;
  std::map<std::string, std::set<std::string>> types_of;
  for (const Endpoint& endpoint : endpoints_) {
    FoundTopic& topic = found_topics[topic_name(endpoint.topic)];
    topic.name = topic_name(endpoint.topic);
    const std::string type = type_called(endpoint.type);
    if (types_of[topic.name].insert(type).second) {
      topic.type += (topic.type.empty() ? "" : ", ") + type;
    }
    std::string qualities = describe(endpoint.qualities);
    if (!has_usual_topic(endpoint)) {
      qualities += ", called '" + endpoint.topic + "' in DDS";
    }
    topic.ends.push_back({endpoint.writes, endpoint.name, endpoint.process, std::move(qualities)});
  }
  std::vector<FoundTopic> list;
  for (auto& [name, topic] : found_topics) {
    list.push_back(std::move(topic));
  }
  return list;
}

/// With what the library says of it.
void Topics::join() {
  remarks_ = std::make_shared<Remarks>();
  try {
    participation_ = library().join(membership_, [remarks = remarks_](std::string_view text) {
      const std::lock_guard lock(remarks->mutex);
      if (std::ranges::find(remarks->texts, text) == remarks->texts.end() &&
          remarks->texts.size() < kMostRemarks) {
        remarks->texts.emplace_back(text);
      }
    });
  } catch (const Error& error) {
    const std::vector<std::string> texts = remarks();
    throw Error(error.code(), error.message() + (texts.empty() ? "" : ": " + texts.back()));
  }
}

std::vector<std::string> Topics::remarks() const {
  const std::lock_guard lock(remarks_->mutex);
  return remarks_->texts;
}

/// The least that all of them offer, so that one subscriber matches all.
Qualities Topics::least_of(const std::vector<const Endpoint*>& publishers) {
  Qualities least = publishers.front()->qualities;
  for (const Endpoint* const each : publishers) {
    least.reliability = std::min(least.reliability, each->qualities.reliability);
    least.durability = std::min(least.durability, each->qualities.durability);
  }
  return least;
}

std::string Topics::echo_line(const EchoRequest& request) {
  TopicParameters::set_membership_without_participant(membership_);
  std::string unknown;
  std::string unusual;
  const Description* type = nullptr;
  std::vector<const Endpoint*> publishers;  // of that type
  for (const Endpoint& endpoint : endpoints_) {
    if (!endpoint.writes || topic_name(endpoint.topic) != request.topic) {
      continue;
    }
    const Description* const found = find_by_wire_name(endpoint.type);
    if (found == nullptr) {
      unknown += (unknown.empty() ? "" : ", ") + type_called(endpoint.type);
    } else if (!has_usual_topic(endpoint)) {
      unusual = "the messages of " + request.topic + " go by the topic '" + endpoint.topic +
                "' of DDS, and gxr takes " + found->name + " from '" +
                wire_topic(request.topic, *found) + "'";
    } else if (type == nullptr || type == found) {
      type = found;
      publishers.push_back(&endpoint);
    }
  }
  if (type == nullptr) {
    throw Error(ErrorCode::NotSupported, unknown.empty() ? unusual
                                                         : "the messages of " + request.topic +
                                                               " are of the type " + unknown +
                                                               ", which gxr does not know");
  }
  const Qualities least = least_of(publishers);
  std::string line = "dds::Subscriber topic=" + request.topic + " type=" + type->name +
                     " domain=" + std::to_string(request.network.domain) +
                     " count=" + std::to_string(request.count) + " depth=100";
  line += least.reliability == Reliability::BestEffort ? " reliability=best_effort" : "";
  line += least.durability >= Durability::TransientLocal ? " durability=transient_local" : "";
  line += least.ownership == Ownership::Exclusive ? " ownership=exclusive" : "";
  line += partitions_of(publishers);
  if (request.pictures.empty()) {
    return line + " ! dds::Echo values=" + std::to_string(request.values);
  }
  line += type->is_ros() ? " ! dds::FromRos" : "";
  line += type->name == "sensor_msgs/msg/CompressedImage" ? " ! image::Decoder" : "";
  return line + " ! image::Viewable ! image::Writer path=" + launch_quoted(request.pictures);
}

std::vector<MessageDefinition> Topics::message_types() {
  std::vector<MessageDefinition> types;
  for (const Description& type : all_descriptions()) {
    types.push_back(definition_of(type));
  }
  return types;
}

std::vector<MessageDefinition> Topics::definitions_of_end(const Endpoint& end,
                                                          std::chrono::nanoseconds wait) {
  const Description* const type = find_by_wire_name(end.type);
  if (type != nullptr && (end.type_hash.empty() || end.type_hash == type->type_hash)) {
    return definitions_of_type(type->name);
  }
  const auto unknown = [&](std::string reason) {
    return std::vector<MessageDefinition>{
        {type_called(end.type), end.type, "", end.type_hash, std::move(reason), {}}};
  };
  if (wait.count() == 0) {
    return unknown(std::string(type == nullptr ? "gxr does not know the type"
                                               : "gxr knows another definition of the type") +
                   "; --ask asks the program that has it");
  }
  try {
    auto found = participation_->definitions(end.guid, wait);
    found.front().hash = end.type_hash;
    return found;
  } catch (const Error& error) {
    return unknown(error.message());
  }
}

std::vector<MessageDefinition> Topics::definitions(const std::string& topic,
                                                   std::chrono::nanoseconds wait) {
  std::vector<MessageDefinition> all;
  std::vector<std::array<std::string, 3>> seen;
  for (const Endpoint& end : endpoints_) {
    const std::array type{end.type, end.type_hash, participation_->digest_of_type(end.guid)};
    if (topic_name(end.topic) != topic || std::ranges::find(seen, type) != seen.end()) {
      continue;
    }
    seen.push_back(type);
    for (MessageDefinition& each : definitions_of_end(end, wait)) {
      if (std::ranges::find(all, each) == all.end()) {
        all.push_back(std::move(each));
      }
    }
  }
  return all;
}

}  // namespace gxr::dds
