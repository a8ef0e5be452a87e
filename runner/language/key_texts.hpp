#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gxr::language {

/// A key of documents that no type declares, and one line about it.
struct KeyText {
  const char* key;
  const char* detail;
};

/// Keys of a document: of one in the short form, or of any other.
std::span<const KeyText> document_keys(bool is_short);
/// Keys of an entry of `components` or `terms`.
std::span<const KeyText> component_keys();
/// Keys of an entry of `ports`.
std::span<const KeyText> port_keys();
/// Keys of an entry of `interfaces`.
std::span<const KeyText> interface_keys();

/// Keys that may stand at a path from the document down; "" stands for an item of a list. Empty
/// where others choose the keys.
std::span<const KeyText> keys_at(const std::vector<std::string>& path, bool is_short);

}  // namespace gxr::language
