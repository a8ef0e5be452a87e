#include "document/value_errors.hpp"

#include "document/utf8.hpp"

namespace gxr {

namespace {

constexpr std::size_t kLongestQuote = 60;

std::string shortened(std::string_view text) {
  if (count_characters(text) <= kLongestQuote) {
    return quote_text(text);
  }
  std::string result = quote_text(text.substr(0, bytes_of_characters(text, kLongestQuote)));
  result.insert(result.size() - 1, "...");
  return result;
}

}  // namespace

std::string quote_value(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
    case ValueKind::Scalar:
      return value.text().empty() && !value.quoted() ? "an empty value" : shortened(value.text());
    case ValueKind::Sequence:
      return "a list";
    case ValueKind::Map:
      return "a map";
  }
  return {};
}

void throw_not(const Value& value, const std::string& what, const std::string& accepted) {
  throw Error(ErrorCode::InvalidParameter,
              quote_value(value) + " is not " + what + "; accepted: " + accepted);
}

void throw_range(const Value& value, const std::string& range) {
  throw Error(ErrorCode::OutOfRange, quote_value(value) + " is out of range; accepted: " + range);
}

std::string_view scalar_text(const Value& value, const std::string& what,
                             const std::string& accepted) {
  if (!value.is_scalar()) {
    throw_not(value, what, accepted);
  }
  return value.text();
}

}  // namespace gxr
