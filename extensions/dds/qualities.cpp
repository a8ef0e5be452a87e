#include "dds/qualities.hpp"

#include <array>

#include "gxr/plain_text.hpp"

namespace gxr::dds {
namespace {

constexpr const char* kReliabilities[] = {"best_effort", "reliable"};
constexpr const char* kDurabilities[] = {"volatile", "transient_local", "transient", "persistent"};
constexpr const char* kOwnerships[] = {"shared", "exclusive"};

template <class E, std::size_t N>
const char* word(E value, const char* const (&words)[N]) {
  return words[static_cast<std::size_t>(value)];
}

std::string milliseconds(std::chrono::nanoseconds time) {
  return time.count() == 0
             ? "none"
             : general_text(std::chrono::duration<double, std::milli>(time).count()) + " ms";
}

std::string both(const std::string& setting, const std::string& offered,
                 const std::string& wanted) {
  return "the publisher offers " + setting + " " + offered + ", the subscriber asks for " + wanted;
}

}  // namespace

std::optional<std::string> disagreement(const Qualities& writer, const Qualities& reader) {
  if (writer.reliability < reader.reliability) {
    return both("reliability", word(writer.reliability, kReliabilities),
                word(reader.reliability, kReliabilities));
  }
  if (writer.durability < reader.durability) {
    return both("durability", word(writer.durability, kDurabilities),
                word(reader.durability, kDurabilities));
  }
  if (writer.ownership != reader.ownership) {
    return both("ownership", word(writer.ownership, kOwnerships),
                word(reader.ownership, kOwnerships));
  }
  const bool asks = reader.deadline.count() > 0;
  if (asks && (writer.deadline.count() == 0 || writer.deadline > reader.deadline)) {
    return both("deadline", milliseconds(writer.deadline), milliseconds(reader.deadline));
  }
  return std::nullopt;
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
  for (const std::string& partition : qualities.partitions) {
    text += ", partition '" + partition + "'";
  }
  return text;
}

}  // namespace gxr::dds
