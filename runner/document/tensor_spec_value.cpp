#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/graph_operator.hpp"

namespace gxr {
namespace {

constexpr ElementType kElementTypes[] = {
    ElementType::Int8,      ElementType::UInt8,   ElementType::Int16,   ElementType::UInt16,
    ElementType::Int32,     ElementType::UInt32,  ElementType::Int64,   ElementType::UInt64,
    ElementType::Float16,   ElementType::Float32, ElementType::Float64, ElementType::Complex64,
    ElementType::Complex128};

[[noreturn]] void throw_invalid_tensor(const std::string& text) {
  throw Error(ErrorCode::InvalidParameter, text);
}

ElementType element_type(std::string_view name) {
  std::string known;
  for (const ElementType type : kElementTypes) {
    if (name == to_string(type)) {
      return type;
    }
    known += (known.empty() ? "" : ", ") + std::string(to_string(type));
  }
  throw_invalid_tensor("'" + std::string(name) + "' is no type of elements; known: " + known);
}

std::int32_t dimension(std::string_view text) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) {
    throw_invalid_tensor("'" + std::string(text) +
                         "' is no dimension of a shape: a whole number from 1");
  }
  return number;
}

Shape shape_of(const std::vector<std::int32_t>& dimensions) {
  if (dimensions.empty()) {
    throw_invalid_tensor("a shape has at least one dimension");
  }
  return {dimensions.data(), dimensions.size()};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  const std::size_t end = text.find_last_not_of(' ');
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, end - begin + 1);
}

/// "uint16 [1080, 1920]"
TensorSpec from_text(std::string_view text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.rfind(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      !trimmed(text.substr(close + 1)).empty()) {
    throw_invalid_tensor("'" + std::string(text) +
                         "' is no tensor; write it like uint16 [1080, 1920]");
  }
  std::vector<std::int32_t> dimensions;
  std::string_view rest = text.substr(open + 1, close - open - 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    dimensions.push_back(dimension(trimmed(rest.substr(0, comma))));
    if (comma == std::string_view::npos) {
      break;
    }
    rest.remove_prefix(comma + 1);
  }
  return {shape_of(dimensions), element_type(trimmed(text.substr(0, open))), 0, {}};
}

TensorSpec from_map(const Value& value) {
  std::vector<std::int32_t> dimensions;
  std::string type;
  TensorSpec spec;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string key = detail::parse_key(value.key(i), value.value(i));
    const Value& given = value.value(i);
    if (key == "shape") {
      detail::require_list(given);
      for (std::size_t d = 0; d < given.size(); ++d) {
        dimensions.push_back(dimension(given.at(d).text()));
      }
    } else if (key == "dtype") {
      type = given.text();
    } else if (key == "name") {
      spec.name = given.text();
    } else if (key == "content") {
      spec.content = given.text();
    } else {
      throw_invalid_tensor("a tensor has no '" + key + "'; it has: shape, dtype, name, content");
    }
  }
  if (type.empty()) {
    throw_invalid_tensor("a tensor needs a dtype, like {shape: [1080, 1920], dtype: uint16}");
  }
  spec.shape = shape_of(dimensions);
  spec.type = element_type(type);
  return spec;
}

}  // namespace

ParameterType ParameterTraits<TensorSpec>::type() {
  return {ParameterType::Kind::Any, "gxr::TensorSpec", {}, 0, {}};
}

TensorSpec ParameterTraits<TensorSpec>::parse(const Value& value, ParameterContext&) {
  try {
    TensorSpec spec = value.is_map() ? from_map(value) : from_text(value.text());
    static_cast<void>(spec.bytes());
    return spec;
  } catch (const Error& error) {
    throw Error(ErrorCode::InvalidParameter, error.message());
  }
}

std::string ParameterTraits<TensorSpec>::to_yaml(const TensorSpec& spec) {
  return detail::yaml_of(spec.to_string());
}

}  // namespace gxr
