#include "document/parameter_file.hpp"

#include <string>

#include "document/map_keys.hpp"
#include "document/override_key.hpp"
#include "document/utf8.hpp"

namespace gxr {

namespace {

constexpr const char* kFileForm =
    "a parameter file maps ENTITY/COMPONENT/PARAMETER or ENTITY/PARAMETER to values";

bool is_address(const Value& key) {
  return key.is_scalar() && key.text().find('/') != std::string_view::npos;
}

/// How to write the first value of maps in a map, where names of entities are no keys of their own:
/// "; write 'camera/count: 4'".
std::string flat_form(const Value& key, const Value& value) {
  std::string subgraphs;
  std::string entity(key.text());
  const Value* inner = &value;
  while (inner->is_map() && inner->size() > 0 && inner->value(0).is_map()) {
    subgraphs += entity + ".";
    entity = inner->key(0).text();
    inner = &inner->value(0);
  }
  if (!inner->is_map() || inner->size() == 0 || !inner->value(0).is_scalar()) {
    return {};
  }
  const std::string rest =
      "/" + std::string(inner->key(0).text()) + ": " + std::string(inner->value(0).text()) + "'";
  return "; write '" + subgraphs + entity + rest;
}

void read_entry(const Value& key, const Value& value, std::vector<Override>& overrides,
                Diagnostics& diagnostics) {
  if (const std::string flaw = flaw_of_key(key); !flaw.empty()) {
    diagnostics.add(DiagnosticCode::ParameterFile, key, flaw, kFileForm);
    return;
  }
  std::string problem;
  const std::optional<OverrideKey> address = parse_override_key(key.text(), problem);
  if (!address) {
    diagnostics.add(
        DiagnosticCode::ParameterFile, key, quote_text(key.text()) + " " + problem,
        merges(key, value) ? kMergeKeyHint : std::string(kFileForm) + flat_form(key, value));
    return;
  }
  overrides.push_back({address->entity, address->component, address->parameter, &value,
                       key.location(), underline_length(key), false});
}

}  // namespace

bool is_parameter_map(const Value& root) {
  if (!root.is_map()) {
    return false;
  }
  for (std::size_t i = 0; i < root.size(); ++i) {
    if (is_address(root.key(i))) {
      return true;
    }
  }
  return root.find("components") == nullptr;
}

const Value* address_in(const Value& root) {
  for (std::size_t i = 0; root.is_map() && i < root.size(); ++i) {
    if (!is_address(root.key(i))) {
      return nullptr;
    }
  }
  return root.is_map() && root.size() > 0 ? &root.key(0) : nullptr;
}

void read_parameter_map(const Value& root, std::vector<Override>& overrides,
                        Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < root.size(); ++i) {
    read_entry(root.key(i), root.value(i), overrides, diagnostics);
  }
}

}  // namespace gxr
