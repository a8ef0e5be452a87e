#include "device/trait_words.hpp"

#include <cstddef>

namespace gxr {

std::vector<std::string> words_of(const GraphTraits& traits) {
  // The compiler refuses this line when there is another trait.
  const auto& [dependent_launch, repeatable, priority, kept_in_l2, pass_through] = traits;
  std::vector<std::string> words;
  if (dependent_launch) {
    words.emplace_back("dependent launch");
  }
  if (repeatable) {
    words.emplace_back("repeatable");
  }
  if (priority != 0) {
    words.push_back("priority " + std::to_string(priority));
  }
  if (kept_in_l2 != KeptInL2::Nothing) {
    words.push_back(std::string(name_of(kept_in_l2)) + " kept in L2");
  }
  if (pass_through) {
    words.emplace_back("passes on while it is off");
  }
  return words;
}

const char* name_of(KeptInL2 memory) {
  constexpr const char* kNames[] = {"nothing", "scratch", "output"};
  return kNames[static_cast<std::size_t>(memory)];
}

}  // namespace gxr
