#include "document/choice_words.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

bool is_word(std::string_view text) noexcept {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-';
  });
}

bool is_number(std::string_view name) noexcept { return !name.empty() && !is_letter(name.front()); }

}  // namespace

std::string_view word_of(const Choice& choice) noexcept {
  const std::string_view description = choice.description;
  const std::string_view word = description.substr(0, description.find(':'));
  return is_number(choice.name) && is_word(word) ? word : std::string_view();
}

std::string_view text_beside_word(const Choice& choice) noexcept {
  std::string_view text = choice.description;
  if (const std::string_view word = word_of(choice); !word.empty()) {
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  }
  return text;
}

double number_of(const Choice& choice) noexcept {
  const std::string_view text = choice.name;
  if (!text.starts_with("0x")) {
    return plain_number(text);
  }
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data() + 2, end, number, 16);
  return error == std::errc() && read == end ? static_cast<double>(number) : 0;
}

const Choice* find_word(const std::vector<Choice>& choices, std::string_view text) {
  const std::string wanted = lower_case(text);
  const Choice* found = nullptr;
  for (const Choice& choice : choices) {
    if (const std::string_view word = word_of(choice);
        !word.empty() && lower_case(word) == wanted) {
      if (found != nullptr) {
        return nullptr;
      }
      found = &choice;
    }
  }
  return found;
}

}  // namespace gxr
