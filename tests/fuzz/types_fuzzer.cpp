// Reads any bytes as the section .gxr.types of an extension, as they are and with a parameter type
// nested deeply, and aborts where a promise of the reader is broken.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "registry/type_json.hpp"
#include "tests/fuzz/promise.hpp"

namespace {

using gxr::fuzz::nested;
using gxr::fuzz::require;

bool has_parameter(const gxr::TypeInfo& type, const std::string& key) {
  return std::any_of(type.parameters.begin(), type.parameters.end(),
                     [&](const gxr::ParameterInfo& parameter) { return parameter.key == key; });
}

void check_names(const std::vector<gxr::TypeInfo>& types) {
  for (const gxr::TypeInfo& type : types) {
    require(gxr::printable(type.name) == type.name, "no control is in a type's name");
    for (const gxr::ParameterInfo& parameter : type.parameters) {
      require(gxr::printable(parameter.key) == parameter.key, "no control is in a key");
    }
    for (const gxr::Capability& capability : type.capabilities) {
      for (const std::string& key : capability.parameters) {
        require(key.empty() || has_parameter(type, key), "a capability names parameters");
      }
    }
  }
}

void read(std::string_view text) {
  try {
    const std::vector<gxr::TypeInfo> types = gxr::types_from_json(text);
    check_names(types);
    const std::string written = gxr::types_to_json(types);
    require(gxr::types_to_json(gxr::types_from_json(written)) == written,
            "types that were read are read the same again");
    const std::vector<std::string_view> lines = gxr::lines_of_types(written);
    require(lines.size() == types.size(), "each type that was written has a line");
    for (std::size_t i = 0; i < types.size(); ++i) {
      require(gxr::types_to_json({gxr::type_from_json(lines[i])}) == gxr::types_to_json({types[i]}),
              "a line is read like the whole");
    }
  } catch (const gxr::Error& error) {
    require(error.code() == gxr::ErrorCode::InvalidData, "a bad text has the code InvalidData");
    require(!error.message().empty() && gxr::printable(error.message()) == error.message(),
            "an error has a text without controls");
  }
}

/// Of a section that is not what it was when it got into an index.
void read_lines(std::string_view text) {
  for (const std::string_view line : gxr::lines_of_types(text)) {
    try {
      check_names({gxr::type_from_json(line)});
    } catch (const gxr::Error& error) {
      require(error.code() == gxr::ErrorCode::InvalidData, "a bad line has the code InvalidData");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text);
  read_lines(text);
  read_lines(R"({"format":1,"types":[)" + std::string(text) + "\n]}");
  read(R"({"format": )" + nested(text) + R"(, "types": []})");
  read(R"({"format": 1, "types": [{"name": "a", "id": "0000000000000001:0000000000000002",)"
       R"( "parameters": [{"key": "k", "type": {"kind": "list", "of": [)" +
       nested(text) + "]}}]}]}");
  return 0;
}
