#include "document/map_keys.hpp"

#include "document/value_errors.hpp"

namespace gxr {

std::string flaw_of_key(const Value& key) {
  if (key.is_scalar() || !key.text().empty()) {
    return {};
  }
  return "a key has to be text, and " +
         (is_empty_key(key) ? "nothing stands behind this '?'" : "this one is " + quote_value(key));
}

bool merges(const Value& key, const Value& value) noexcept {
  return key.is_scalar() && !key.quoted() && is_merge_key(key.text()) &&
         (value.is_map() || value.is_sequence());
}

}  // namespace gxr
