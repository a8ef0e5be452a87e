#include "image/natural_order.hpp"

#include <algorithm>
#include <cstddef>

#include "gxr/plain_text.hpp"

namespace gxr::image {
namespace {

/// Cuts the number at the beginning of `text` off and returns it without leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

int compare_numbers(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) {
    return a.size() < b.size() ? -1 : 1;
  }
  return a.compare(b);
}

int compare_characters(char a, char b) {
  return static_cast<int>(static_cast<unsigned char>(a)) - static_cast<unsigned char>(b);
}

/// Compares and cuts off one number or one character of both.
int compare_next(std::string_view& a, std::string_view& b) {
  if (is_digit(a.front()) && is_digit(b.front())) {
    return compare_numbers(take_number(a), take_number(b));
  }
  const int order = compare_characters(a.front(), b.front());
  a.remove_prefix(1);
  b.remove_prefix(1);
  return order;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) noexcept {
  std::string_view rest_a = a;
  std::string_view rest_b = b;
  while (!rest_a.empty() && !rest_b.empty()) {
    const int order = compare_next(rest_a, rest_b);
    if (order != 0) {
      return order < 0;
    }
  }
  return rest_a.empty() && rest_b.empty() ? a < b : rest_a.empty();
}

}  // namespace gxr::image
