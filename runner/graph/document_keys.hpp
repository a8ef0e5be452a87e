#pragma once

#include <string_view>

#include "document/diagnostics.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Is it a key of documents that gxr, or a tool around GXF, knows? `is_short`: of those with
/// `operator`.
[[nodiscard]] bool is_document_key(std::string_view key, bool is_short) noexcept;

/// Is it a key that only documents with `operator` have?
[[nodiscard]] bool is_key_of_short_form(std::string_view key) noexcept;

/// Reports keys of a document that neither gxr nor the tools around GXF know, and the parts of
/// GXF's language that this version does not have.
void check_document_keys(const Value& root, Diagnostics& diagnostics);
/// The same of a document in the short form, with `operator`.
void check_short_keys(const Value& root, Diagnostics& diagnostics);
/// Reports unknown keys of an entry of `components`.
void check_component_keys(const Value& entry, Diagnostics& diagnostics);

}  // namespace gxr
