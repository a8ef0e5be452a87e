#include "dds/qualities.hpp"

#include <algorithm>
#include <array>

#include "dds/one_line.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::dds {
namespace {

constexpr const char* kReliabilities[] = {"best_effort", "reliable"};
constexpr const char* kDurabilities[] = {"volatile", "transient_local", "transient", "persistent"};
constexpr const char* kOwnerships[] = {"shared", "exclusive"};
constexpr const char* kLivelinesses[] = {"automatic", "manual_by_participant", "manual_by_topic"};
constexpr const char* kScopes[] = {"instance", "topic", "group"};
constexpr const char* kRepresentations[] = {"XCDR1", "XML", "XCDR2"};

template <class E, std::size_t N>
const char* word(E value, const char* const (&words)[N]) {
  return words[static_cast<std::size_t>(value)];
}

std::string milliseconds(std::chrono::nanoseconds time) {
  return time.count() == 0
             ? "none"
             : general_text(std::chrono::duration<double, std::milli>(time).count()) + " ms";
}

/// The policies that two ends do not agree on.
class Disagreements {
 public:
  void add(const std::string& setting, const std::string& offered, const std::string& wanted) {
    text_ += (text_.empty() ? "" : "; ") + ("the publisher offers " + setting + " " + offered) +
             ", the subscriber asks for " + wanted;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string yes_or_no(bool value) { return value ? "true" : "false"; }

std::string representation(std::int16_t number) {
  return number >= 0 && number < 3 ? kRepresentations[number] : std::to_string(number);
}

/// The publisher sends in its first one.
std::int16_t sent(const Qualities& writer) {
  return writer.representations.empty() ? std::int16_t{0} : writer.representations.front();
}

bool takes(const Qualities& reader, std::int16_t number) {
  return reader.representations.empty()
             ? number == 0
             : std::ranges::find(reader.representations, number) != reader.representations.end();
}

std::string taken(const Qualities& reader) {
  std::string text;
  for (const std::int16_t number : reader.representations) {
    text += (text.empty() ? "" : " or ") + representation(number);
  }
  return text.empty() ? representation(0) : text;
}

/// In settings that gxr has no parameter for.
void compare_rare(const Qualities& writer, const Qualities& reader, Disagreements& found) {
  if (writer.liveliness < reader.liveliness) {
    found.add("liveliness", word(writer.liveliness, kLivelinesses),
              word(reader.liveliness, kLivelinesses));
  }
  const auto lease = reader.liveliness_lease;
  if (lease.count() > 0 &&
      (writer.liveliness_lease.count() == 0 || writer.liveliness_lease > lease)) {
    found.add("liveliness lease", milliseconds(writer.liveliness_lease), milliseconds(lease));
  }
  if (writer.latency_budget > reader.latency_budget) {
    found.add("latency budget", milliseconds(writer.latency_budget),
              milliseconds(reader.latency_budget));
  }
  if (!writer.ordered_by_source && reader.ordered_by_source) {
    found.add("destination order", "by reception", "by source");
  }
  if (writer.scope < reader.scope) {
    found.add("presentation", word(writer.scope, kScopes), word(reader.scope, kScopes));
  }
  if (!writer.coherent && reader.coherent) {
    found.add("coherent access", yes_or_no(false), yes_or_no(true));
  }
  if (!writer.ordered && reader.ordered) {
    found.add("ordered access", yes_or_no(false), yes_or_no(true));
  }
  if (!takes(reader, sent(writer))) {
    found.add("data representation", representation(sent(writer)), taken(reader));
  }
}

}  // namespace

std::string disagreements(const Qualities& writer, const Qualities& reader) {
  Disagreements found;
  if (writer.reliability < reader.reliability) {
    found.add("reliability", word(writer.reliability, kReliabilities),
              word(reader.reliability, kReliabilities));
  }
  if (writer.durability < reader.durability) {
    found.add("durability", word(writer.durability, kDurabilities),
              word(reader.durability, kDurabilities));
  }
  if (writer.ownership != reader.ownership) {
    found.add("ownership", word(writer.ownership, kOwnerships),
              word(reader.ownership, kOwnerships));
  }
  const bool asks = reader.deadline.count() > 0;
  if (asks && (writer.deadline.count() == 0 || writer.deadline > reader.deadline)) {
    found.add("deadline", milliseconds(writer.deadline), milliseconds(reader.deadline));
  }
  compare_rare(writer, reader, found);
  return found.text();
}

std::string describe(const Qualities& qualities) {
  std::string text = word(qualities.reliability, kReliabilities);
  text += std::string(", ") + word(qualities.durability, kDurabilities);
  text += qualities.depth == 0 ? ", keeps all" : ", depth " + std::to_string(qualities.depth);
  if (qualities.deadline.count() > 0) {
    text += ", deadline " + milliseconds(qualities.deadline);
  }
  if (qualities.lifespan.count() > 0) {
    text += ", lifespan " + milliseconds(qualities.lifespan);
  }
  if (qualities.ownership == Ownership::Exclusive) {
    text += ", exclusive with strength " + std::to_string(qualities.strength);
  }
  if (qualities.liveliness != Liveliness::Automatic || qualities.liveliness_lease.count() > 0) {
    text += std::string(", liveliness ") + word(qualities.liveliness, kLivelinesses);
    text += qualities.liveliness_lease.count() > 0
                ? " within " + milliseconds(qualities.liveliness_lease)
                : "";
  }
  for (const std::string& partition : qualities.partitions) {
    text += ", partition '" + one_line(partition) + "'";
  }
  return text;
}

}  // namespace gxr::dds
