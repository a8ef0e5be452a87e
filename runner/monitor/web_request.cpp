#include "monitor/web_request.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace gxr {
namespace {

std::string decoded(std::string_view text, bool plus_is_blank) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const std::string_view digits = text.substr(i + 1, text[i] == '%' ? 2 : 0);
    const char* const end = digits.data() + digits.size();
    if (digits.size() == 2 && std::from_chars(digits.data(), end, byte, 16).ptr == end) {
      result += static_cast<char>(byte);
      i += 2;
    } else {
      result += text[i] == '+' && plus_is_blank ? ' ' : text[i];
    }
  }
  return result;
}

}  // namespace

void read_target(const std::string& target, WebRequest& request) {
  const std::string_view text(target);
  const std::size_t mark = std::min(text.find('?'), text.size());
  request.path = decoded(text.substr(0, mark), false);
  for (std::size_t begin = mark + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find('&', begin), text.size());
    const std::string_view pair = text.substr(begin, end - begin);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view value = equals < pair.size() ? pair.substr(equals + 1) : "";
    request.query[decoded(pair.substr(0, equals), true)] = decoded(value, true);
    begin = end + 1;
  }
}

}  // namespace gxr
