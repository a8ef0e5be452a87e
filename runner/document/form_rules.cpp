#include "document/form_rules.hpp"

#include "document/value_errors.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"

namespace gxr {
namespace {

std::string count_text(std::size_t count, const char* of_one, const char* of_several) {
  return std::to_string(count) + (count == 1 ? of_one : of_several);
}

}  // namespace

Lengths lengths_of(const ParameterType& type) noexcept {
  if (type.kind == ParameterType::Kind::Pair) {
    return {2, 2};
  }
  if (type.kind == ParameterType::Kind::Array) {
    return {type.length, type.length};
  }
  return {0, type.length == 0 ? detail::kAnyLength : type.length};
}

FormFlaw flaw_of_list(const Value& value, const Lengths& lengths) noexcept {
  if (!value.is_sequence()) {
    return FormFlaw::Kind;
  }
  const bool fits = value.size() >= lengths.least && value.size() <= lengths.most;
  return fits ? FormFlaw::None : FormFlaw::Length;
}

FormFlaw flaw_of_map(const Value& value) noexcept {
  return value.is_map() ? FormFlaw::None : FormFlaw::Kind;
}

namespace detail {

void require_list(const Value& value, std::size_t least, std::size_t most) {
  switch (flaw_of_list(value, {least, most})) {
    case FormFlaw::None:
      return;
    case FormFlaw::Kind:
      throw_not(value, "a list", "[a, b]");
    case FormFlaw::Length:
      break;
  }
  const std::string has =
      "this list has " + count_text(value.size(), " element", " elements") + "; ";
  if (least == most) {
    throw Error(ErrorCode::InvalidParameter,
                has + "exactly " + count_text(most, " is needed", " are needed"));
  }
  throw Error(ErrorCode::OutOfRange,
              value.size() > most
                  ? has + "at most " + count_text(most, " is", " are") + " allowed"
                  : has + "at least " + count_text(least, " is", " are") + " needed");
}

void require_map(const Value& value) {
  if (flaw_of_map(value) != FormFlaw::None) {
    throw_not(value, "a map", "{key: value}");
  }
}

void require_room(std::string_view text, std::size_t most) {
  if (text.size() > most) {
    throw Error(ErrorCode::OutOfRange,
                "this text has " + count_text(text.size(), " byte", " bytes") + "; at most " +
                    count_text(most, " is", " are") + " allowed");
  }
}

}  // namespace detail
}  // namespace gxr
