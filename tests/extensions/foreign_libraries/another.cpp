#include "another.hpp"

namespace YAML {

Exception::Exception(const Mark& mark, const std::string& text) : std::runtime_error("another") {
  texts_.back() = text + " at " + std::to_string(mark.fields.back());
}
Exception::~Exception() noexcept = default;

Emitter::Emitter() = default;
Emitter::~Emitter() = default;
Emitter& Emitter::Write(const std::string& text) {
  parts_.back() += text;
  return *this;
}
const char* Emitter::c_str() const { return parts_.back().c_str(); }

std::string Load(const std::string& text) {
  try {
    Mark mark{};
    mark.fields.back() = static_cast<long>(text.size());
    throw Exception(mark, "no end");
  } catch (const Exception& error) {
    return error.text();
  }
}

}  // namespace YAML

FMT_BEGIN_NAMESPACE
std::string report_system_error(int /*code*/, const char* /*text*/) { return "another"; }
FMT_END_NAMESPACE

namespace spdlog {
std::string shutdown() { return "another"; }
}  // namespace spdlog

NLOHMANN_JSON_NAMESPACE_BEGIN
namespace detail::dtoa_impl {
std::string format_buffer(char* /*text*/, int /*length*/, int /*exponent*/, int /*least*/,
                          int /*most*/) {
  return "another";
}
}  // namespace detail::dtoa_impl
NLOHMANN_JSON_NAMESPACE_END

namespace another {
std::vector<std::string> ask_within() { return ask(); }
}  // namespace another
