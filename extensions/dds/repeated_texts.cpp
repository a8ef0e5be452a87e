#include "dds/repeated_texts.hpp"

#include <utility>

#include "gxr/plain_text.hpp"

namespace gxr::dds {

std::string kind_of_text(std::string_view text) {
  std::string kind(text);
  std::erase_if(kind, [](char c) { return is_digit(c); });
  return kind;
}

/// No text is of this kind.
constexpr const char* kOthers = "0";

bool RepeatedTexts::add(std::string_view text, Time now) {
  constexpr std::chrono::minutes kQuiet(1);
  std::string kind = kind_of_text(text);
  const std::lock_guard lock(mutex_);
  auto known = told_.find(kind);
  if (known == told_.end() && told_.size() >= kMostKinds) {
    kind = kOthers;
    known = told_.find(kind);
  }
  if (known == told_.end()) {
    told_.emplace(std::move(kind), now);
    return true;
  }
  const bool is_due = now - known->second >= kQuiet;
  if (is_due) {
    known->second = now;
  }
  return is_due;
}

}  // namespace gxr::dds
