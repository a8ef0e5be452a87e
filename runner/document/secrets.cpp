#include "document/secrets.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

constexpr auto kNoPlace = std::string_view::npos;
constexpr std::string_view kBlanksAround = " \t\r";
constexpr std::string_view kValueQuotes = "'\"";

// Without '-' and '_'. Names that end with one of these are secret, too: "user-pw".
constexpr std::array<std::string_view, 13> kSecretEnds = {
    "pw",     "pwd",       "password",  "passwd",     "passphrase",    "secret",   "token",
    "apikey", "accesskey", "secretkey", "privatekey", "authorization", "signature"};
constexpr std::array<std::string_view, 4> kSecretNames = {"sig", "jwt", "psk", "cookies"};

bool is_blank_around(char c) { return kBlanksAround.find(c) != kNoPlace; }

bool is_of_setting(char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; }

/// The name in front of the '=' at `at`; empty: there is none.
std::string_view name_before(std::string_view line, std::size_t at) {
  while (at > 0 && is_blank_around(line[at - 1])) {
    --at;
  }
  std::size_t begin = at;
  while (begin > 0 && is_of_setting(line[begin - 1])) {
    --begin;
  }
  return line.substr(begin, at - begin);
}

/// Where "(string)" ends, if a quote follows; else `at`.
std::size_t behind_type(std::string_view line, std::size_t at) {
  if (at == line.size() || line[at] != '(') {
    return at;
  }
  const std::size_t end = line.find(')', at);
  const bool is_quoted = end != kNoPlace && end + 1 < line.size() &&
                         (kValueQuotes.find(line[end + 1]) != kNoPlace || line[end + 1] == '\\');
  return is_quoted ? end + 1 : at;
}

/// Of a value in quotes, which may have been escaped or doubled by what is around it.
TextRange quoted_value(std::string_view line, std::size_t at, std::size_t content) {
  const std::string_view quotes = line.substr(at, content - at);
  if (quotes == "\"\"") {
    return {content, content};
  }
  std::size_t end = line.find(quotes, content);
  while (end != kNoPlace && end > content && line[end - 1] == '\\') {
    end = line.find(quotes, end + 1);
  }
  return {content, std::min(end, line.size())};
}

/// Up to a blank, without the signs that end a text around the value.
TextRange plain_value(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && !is_blank_around(line[end])) {
    end += line[end] == '\\' && end + 1 < line.size() ? 2 : 1;
  }
  constexpr std::string_view kClosing = "'\",;:.)]}";
  while (end > at && kClosing.find(line[end - 1]) != kNoPlace) {
    --end;
  }
  return {at, end};
}

/// Of the setting whose '=' is at `at`.
TextRange value_behind(std::string_view line, std::size_t at) {
  const std::size_t begin = std::min(line.find_first_not_of(kBlanksAround, at + 1), line.size());
  const std::size_t value = behind_type(line, begin);
  const std::size_t content = std::min(line.find_first_not_of("'\"\\", value), line.size());
  const bool is_quoted =
      line.substr(value, content - value).find_first_of(kValueQuotes) != kNoPlace;
  return is_quoted ? quoted_value(line, value, content) : plain_value(line, begin);
}

void find_settings(std::string_view line, std::vector<TextRange>& found) {
  for (std::size_t at = line.find('='); at != kNoPlace; at = line.find('=', at + 1)) {
    if (is_secret_name(name_before(line, at)) && !line.substr(at + 1).starts_with('=')) {
      found.push_back(value_behind(line, at));
    }
  }
}

/// The password in what follows "://". It may have any sign, so it ends at the last '@' of the
/// line.
std::optional<TextRange> password_in(std::string_view rest) {
  const std::size_t colon = rest.find_first_of(":/?#@[");
  if (colon == kNoPlace || rest[colon] != ':') {
    return std::nullopt;
  }
  const std::size_t end = rest.rfind('@');
  const std::size_t digits_end =
      std::min(rest.find_first_not_of("0123456789", colon + 1), rest.size());
  const bool is_port =
      digits_end == rest.size() || std::string_view("/?#").find(rest[digits_end]) != kNoPlace;
  if (is_port || end == kNoPlace || end < colon) {
    return std::nullopt;
  }
  return TextRange{colon + 1, end};
}

void find_passwords(std::string_view line, std::vector<TextRange>& found) {
  constexpr std::string_view kSchemeEnd = "://";
  for (std::size_t at = line.find(kSchemeEnd); at != kNoPlace; at = line.find(kSchemeEnd, at)) {
    at += kSchemeEnd.size();
    if (const auto password = password_in(line.substr(at))) {
      found.push_back({at + password->begin, at + password->end});
    }
  }
}

std::vector<TextRange> in_order(std::vector<TextRange> ranges) {
  std::erase_if(ranges, [](const TextRange& each) { return each.begin >= each.end; });
  std::ranges::sort(ranges, {}, &TextRange::begin);
  std::vector<TextRange> result;
  for (const TextRange& each : ranges) {
    if (!result.empty() && each.begin <= result.back().end) {
      result.back().end = std::max(result.back().end, each.end);
    } else {
      result.push_back(each);
    }
  }
  return result;
}

}  // namespace

bool is_secret_name(std::string_view name) {
  std::string letters = lower_case(name);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
  return std::ranges::find(kSecretNames, letters) != kSecretNames.end() ||
         std::ranges::any_of(kSecretEnds,
                             [&](std::string_view end) { return letters.ends_with(end); });
}

std::vector<TextRange> find_secrets(std::string_view text) {
  std::vector<TextRange> found;
  if (text.find('=') == kNoPlace && text.find('@') == kNoPlace) {
    return found;
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    std::vector<TextRange> of_line;
    find_settings(line, of_line);
    find_passwords(line, of_line);
    for (const TextRange& each : in_order(std::move(of_line))) {
      found.push_back({begin + each.begin, begin + each.end});
    }
    begin = end + 1;
  }
  return found;
}

std::string without_secrets(std::string text) {
  const std::vector<TextRange> secrets = find_secrets(text);
  for (auto each = secrets.rbegin(); each != secrets.rend(); ++each) {
    text.replace(each->begin, each->end - each->begin, "***");
  }
  return text;
}

}  // namespace gxr
