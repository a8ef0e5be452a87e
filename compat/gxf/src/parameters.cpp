#include <string>

#include "adapters.hpp"
#include "common/panic.hpp"
#include "context.hpp"
#include "gxf/core/parameter.hpp"
#include "gxf/core/parameter_value.hpp"
#include "gxf/core/resource.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"
#include "gxr/value.hpp"
#include "native.hpp"

namespace nvidia::gxf::layer {
namespace {

const gxr::Value& value_of(ValueView view) noexcept {
  return *static_cast<const gxr::Value*>(view.get());
}

}  // namespace

ValueView::Kind ValueView::kind() const noexcept {
  return static_cast<Kind>(value_of(*this).kind());
}
static_assert(static_cast<int>(ValueView::Kind::Map) == static_cast<int>(gxr::ValueKind::Map) &&
              static_cast<int>(ValueView::Kind::Sequence) ==
                  static_cast<int>(gxr::ValueKind::Sequence));
std::string_view ValueView::text() const noexcept { return value_of(*this).text(); }
bool ValueView::quoted() const noexcept { return value_of(*this).quoted(); }
std::string_view ValueView::tag() const noexcept { return value_of(*this).tag(); }
std::size_t ValueView::size() const noexcept { return value_of(*this).size(); }
ValueView ValueView::at(std::size_t index) const noexcept {
  return ValueView(&value_of(*this).at(index));
}
ValueView ValueView::key(std::size_t index) const noexcept {
  return ValueView(&value_of(*this).key(index));
}
ValueView ValueView::value(std::size_t index) const noexcept {
  return ValueView(&value_of(*this).value(index));
}

bool ParseBool(ValueView value) { return gxr::detail::parse_bool(value_of(value)); }
std::int64_t ParseInt(ValueView value, std::int64_t minimum, std::int64_t maximum) {
  return gxr::detail::parse_int(value_of(value), minimum, maximum);
}
std::uint64_t ParseUint(ValueView value, std::uint64_t maximum) {
  return gxr::detail::parse_uint(value_of(value), maximum);
}
double ParseDouble(ValueView value) { return gxr::detail::parse_double(value_of(value)); }
float ParseFloat(ValueView value) { return gxr::detail::parse_float(value_of(value)); }
std::complex<double> ParseComplex(ValueView value) {
  return gxr::detail::parse_complex(value_of(value));
}
std::string ParseString(ValueView value) { return gxr::detail::parse_string(value_of(value)); }
std::string ParsePath(ValueView value) { return gxr::detail::parse_path(value_of(value)); }
std::string ParseKey(ValueView key, ValueView value) {
  return gxr::detail::parse_key(value_of(key), value_of(value));
}
void RequireList(ValueView value) { gxr::detail::require_list(value_of(value)); }
void RequireList(ValueView value, std::size_t length) {
  gxr::detail::require_list(value_of(value), length, length);
}
void RequireMap(ValueView value) { gxr::detail::require_map(value_of(value)); }

Target ResolveHandle(ValueView value, const ParseSite& site) {
  auto& resolver = *static_cast<gxr::ParameterContext*>(site.resolver);
  gxr::Component* const component = resolver.resolve(value_of(value));
  return component != nullptr ? context_of(site.context)->target_of(*component) : Target{};
}

void ThrowRefused(ValueView value, gxf_result_t code) {
  const std::string text =
      "the extension's parser refuses " + value_of(value).to_yaml() + ": " + text_of(code);
  ComponentCall::note_failure(code, text);
  throw gxr::Error(gxr::ErrorCode::InvalidParameter, text);
}

void ThrowTooLong(ValueView value, std::size_t most) {
  throw gxr::Error(gxr::ErrorCode::OutOfRange,
                   value_of(value).to_yaml() + " is longer than " + std::to_string(most));
}

std::string TextOf(bool value) { return gxr::detail::yaml_of(value); }
std::string TextOf(std::int64_t value) { return gxr::detail::yaml_of(value); }
std::string TextOf(std::uint64_t value) { return gxr::detail::yaml_of(value); }
std::string TextOf(double value) { return gxr::detail::yaml_of(value); }
std::string TextOf(float value) { return gxr::detail::yaml_of(value); }
std::string TextOf(const std::string& value) { return gxr::detail::yaml_of(value); }

ParameterSlot::~ParameterSlot() = default;

void PanicNoParameter(const char* key, const char* why) {
  RaisePanic(__FILE__, __LINE__, "parameter '%s' %s", key, why);
}

void PanicNullHandle(const char* type) {
  RaisePanic(__FILE__, __LINE__, "a handle to %s that refers to nothing was used", type);
}

gxf_result_t FindResource(gxf_context_t context, gxf_uid_t cid, const char* type, const char* name,
                          Target& target) noexcept {
  Context* const known = context_of(context);
  if (known == nullptr) {
    return GXF_CONTEXT_INVALID;
  }
  return guarded([&] {
    gxr::Component* const component = known->component(cid);
    const TypeRecord* const wanted = FindType(type);
    if (component == nullptr || wanted == nullptr) {
      return GXF_RESOURCE_NOT_INITIALIZED;
    }
    for (gxr::Component* const sibling : known->engine().siblings(*component)) {
      const Target found = known->target_of(*sibling);
      if (IsA(found.type, wanted) && (name == nullptr || sibling->name() == name)) {
        target = found;
        return GXF_SUCCESS;
      }
    }
    return GXF_RESOURCE_NOT_FOUND;
  });
}

}  // namespace nvidia::gxf::layer
