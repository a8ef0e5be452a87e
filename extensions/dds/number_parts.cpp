#include "dds/number_parts.hpp"

#include <iterator>
#include <utility>

#include "dds/cdr_reader.hpp"

namespace gxr::dds {
namespace {

struct NumberFacts {
  TypeId part;
  ElementType element;
  void (*add)(Message& message, std::string_view name, const std::byte* value);
};

template <class T, class Element = T>
constexpr NumberFacts facts() {
  return {TypeIdOf<T>::value, ElementTypeOf<Element>::value,
          [](Message& message, std::string_view name, const std::byte* value) {
            message.add<T>(name, static_cast<T>(read_number<Element>(value)));
          }};
}

/// By FieldKind.
constexpr NumberFacts kNumbers[] = {
    facts<bool, std::uint8_t>(),
    facts<std::int8_t>(),
    facts<std::uint8_t>(),
    facts<std::int16_t>(),
    facts<std::uint16_t>(),
    facts<std::int32_t>(),
    facts<std::uint32_t>(),
    facts<std::int64_t>(),
    facts<std::uint64_t>(),
    facts<float>(),
    facts<double>(),
};
static_assert(std::size(kNumbers) == static_cast<std::size_t>(FieldKind::Text));

template <class Matches>
std::optional<FieldKind> find_kind(const Matches& matches) {
  for (std::size_t i = 0; i < std::size(kNumbers); ++i) {
    if (matches(static_cast<FieldKind>(i))) {
      return static_cast<FieldKind>(i);
    }
  }
  return std::nullopt;
}

const NumberFacts& number_facts(FieldKind kind) { return kNumbers[static_cast<std::size_t>(kind)]; }

}  // namespace

std::optional<FieldKind> number_kind(TypeId part) noexcept {
  return find_kind([&](FieldKind kind) { return number_facts(kind).part == part; });
}

std::optional<FieldKind> number_kind(std::string_view name) noexcept {
  return find_kind([&](FieldKind kind) { return name == to_string(kind); });
}

void add_number(Message& message, std::string_view name, FieldKind kind, const std::byte* value) {
  number_facts(kind).add(message, name, value);
}

ElementType element_type(FieldKind kind) noexcept { return number_facts(kind).element; }

}  // namespace gxr::dds
