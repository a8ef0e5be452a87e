#include "dds/acquaintances.hpp"

#include <algorithm>
#include <utility>

#include <fnmatch.h>

#include "dds/message_type.hpp"
#include "dds/one_line.hpp"

namespace gxr::dds {
namespace {

/// Names of others that are remembered; those that come and go are many in a long run.
constexpr std::size_t kMostNames = 4096;

/// Others may be thousands, or come again and again.
constexpr std::size_t kMostWarnings = 32;

/// As ROS 2 shows it: "01.0f.…".
std::string dotted(const Guid& guid) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : guid) {
    text += text.empty() ? "" : ".";
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text;
}

/// Two patterns never match.
bool matches(const std::string& pattern, const std::string& name) {
  return name.find_first_of("*?[") == std::string::npos &&
         ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace

std::string Endpoint::called() const {
  std::string text = writes ? "the publisher" : "the subscriber";
  if (!name.empty()) {
    text += " '" + one_line(name) + "'";
  } else if (process.empty() && !is_own) {
    text += " " + dotted(guid);
  }
  return text + (is_own            ? " of this application"
                 : process.empty() ? ""
                                   : " of " + one_line(process));
}

bool share_partition(const Qualities& a, const Qualities& b) {
  static const std::vector<std::string> kUnnamed = {""};
  const auto& of_a = a.partitions.empty() ? kUnnamed : a.partitions;
  const auto& of_b = b.partitions.empty() ? kUnnamed : b.partitions;
  return std::ranges::any_of(of_a, [&](const std::string& x) {
    return std::ranges::any_of(
        of_b, [&](const std::string& y) { return matches(x, y) || matches(y, x); });
  });
}

Acquaintances::Acquaintances(Endpoint own, Warn warn)
    : own_(std::move(own)), warn_(std::move(warn)) {}

std::string Acquaintances::called(const Guid& guid) const {
  const std::lock_guard lock(mutex_);
  const auto found = called_.find(guid);
  return found == called_.end() ? "the publisher " + dotted(guid) : found->second;
}

std::string Acquaintances::objection(const Endpoint& other) const {
  if (!other.writes && !own_.writes) {
    return {};
  }
  const std::string both =
      other.called() + (other.writes ? " sends " : " takes ") + one_line(type_called(other.type)) +
      " on " + topic_name(own_.topic) + ", and this " +
      (own_.writes ? "publisher sends " : "subscriber takes ") + type_called(own_.type);
  if (other.type != own_.type) {
    return both + (other.writes == own_.writes ? ": no subscriber hears both"
                                               : ": no messages go between the two");
  }
  if (!other.type_hash.empty() && !own_.type_hash.empty() && other.type_hash != own_.type_hash) {
    return both + ", by another definition of it: theirs is " + one_line(other.type_hash) +
           ", ours is " + own_.type_hash;
  }
  if (other.topic != own_.topic) {
    return both + ", which are two topics in DDS, '" + one_line(other.topic) + "' and '" +
           own_.topic + "': no messages go between the two";
  }
  if (other.writes == own_.writes) {
    return {};
  }
  const Endpoint& writer = own_.writes ? own_ : other;
  const Endpoint& reader = own_.writes ? other : own_;
  const std::string reason = disagreements(writer.qualities, reader.qualities);
  return reason.empty() ? reason
                        : "no messages go from " + (own_.writes ? "here" : writer.called()) +
                              " to " + (own_.writes ? reader.called() : "here") + " on " +
                              topic_name(own_.topic) + ": " + reason;
}

void Acquaintances::on_endpoint(const Endpoint& endpoint, bool is_there) {
  if (!is_there || topic_name(endpoint.topic) != topic_name(own_.topic)) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (called_.size() >= kMostNames) {
      called_.clear();
    }
    if (!called_.try_emplace(endpoint.guid, endpoint.called()).second) {
      return;
    }
  }
  // Of two ends of this application, the subscriber speaks.
  if ((endpoint.is_own && own_.writes) || !share_partition(own_.qualities, endpoint.qualities)) {
    return;
  }
  if (const std::string text = objection(endpoint); !text.empty()) {
    const std::size_t number = ++warnings_;
    if (number <= kMostWarnings) {
      warn_(text + (number == kMostWarnings ? "; of others like this, none is named" : ""));
    }
  }
}

}  // namespace gxr::dds
