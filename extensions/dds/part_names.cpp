#include "dds/part_names.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_set>

#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

constexpr std::size_t kLongestNameOfOthers = 256;
constexpr std::size_t kMostNamesOfOthers = 65536;

struct Hash : std::hash<std::string_view> {
  using is_transparent = void;
};

}  // namespace

std::string_view part_name_of_others(std::string_view name) {
  thread_local std::unordered_set<std::string, Hash, std::equal_to<>> names;
  if (names.find(name) != names.end()) {
    return name;
  }
  if (name.size() > kLongestNameOfOthers || names.size() >= kMostNamesOfOthers) {
    throw Error(ErrorCode::InvalidData,
                name.size() > kLongestNameOfOthers
                    ? "a name in the message has " + std::to_string(name.size()) + " bytes; " +
                          std::to_string(kLongestNameOfOthers) + " are the most"
                    : "the message has a new name, after " + std::to_string(kMostNamesOfOthers) +
                          " others");
  }
  names.emplace(name);
  return name;
}

}  // namespace gxr::dds
