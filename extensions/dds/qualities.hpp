#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gxr/parameter.hpp"

namespace gxr::dds {

enum class Reliability : std::uint8_t { BestEffort, Reliable };
/// In the order of what they offer.
enum class Durability : std::uint8_t { Volatile, TransientLocal, Transient, Persistent };
enum class Ownership : std::uint8_t { Shared, Exclusive };

enum class Liveliness : std::uint8_t { Automatic, ManualByParticipant, ManualByTopic };
/// The samples that belong together: those of an instance, a topic, or a group of topics.
enum class AccessScope : std::uint8_t { Instance, Topic, Group };

/// How samples go from one end of a topic to the other.
struct Qualities {
  Reliability reliability = Reliability::Reliable;
  Durability durability = Durability::Volatile;
  Ownership ownership = Ownership::Shared;
  std::int32_t strength = 0;                ///< of a writer, with exclusive ownership
  std::uint32_t depth = 1;                  ///< samples that are kept; 0: all
  std::chrono::nanoseconds deadline{};      ///< longest time between two samples; 0: any
  std::chrono::nanoseconds lifespan{};      ///< after which a sample is of no use; 0: any
  std::chrono::nanoseconds max_blocking{};  ///< that a writer may wait for readers
  std::vector<std::string> partitions;      ///< empty: the one without a name

  // Settings without a parameter in gxr; others may ask for more than its publishers offer.
  Liveliness liveliness = Liveliness::Automatic;
  std::chrono::nanoseconds liveliness_lease{};  ///< 0: any
  std::chrono::nanoseconds latency_budget{};
  bool ordered_by_source = false;  ///< by the times of publishers
  AccessScope scope = AccessScope::Instance;
  bool coherent = false;
  bool ordered = false;
  std::vector<std::int16_t> representations;  ///< 0: XCDR1, 1: XML, 2: XCDR2; none: XCDR1
};

/// The settings that keep the two apart, in words that name what each says: "the publisher offers
/// reliability best_effort, the subscriber asks for reliable; …". Empty: there are none.
[[nodiscard]] std::string disagreements(const Qualities& writer, const Qualities& reader);

/// For people, without what is default: "reliable, transient_local, depth 5".
[[nodiscard]] std::string describe(const Qualities& qualities);

}  // namespace gxr::dds

namespace gxr {

template <>
struct EnumNames<dds::Reliability> {
  static constexpr std::pair<dds::Reliability, const char*> values[] = {
      {dds::Reliability::BestEffort, "best_effort"},
      {dds::Reliability::Reliable, "reliable"},
  };
};
template <>
struct EnumNames<dds::Durability> {
  static constexpr std::pair<dds::Durability, const char*> values[] = {
      {dds::Durability::Volatile, "volatile"},
      {dds::Durability::TransientLocal, "transient_local"},
  };
};
template <>
struct EnumNames<dds::Ownership> {
  static constexpr std::pair<dds::Ownership, const char*> values[] = {
      {dds::Ownership::Shared, "shared"},
      {dds::Ownership::Exclusive, "exclusive"},
  };
};

}  // namespace gxr
