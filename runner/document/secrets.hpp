#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "internal_api.hpp"

namespace gxr {

/// Bytes of a text, from the first to the one behind the last.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const TextRange&) const = default;
};

/// Does a setting of this name hold a secret: "user-pw", "passphrase", "access_token", …?
GXR_INTERNAL_API bool is_secret_name(std::string_view name);

/// Where a text has secrets: the password in an address (`rtsp://user:password@host`), and the
/// value behind NAME= for the names above, as pipelines of GStreamer and queries of addresses have
/// them. In doubt, more is one. In order; they do not overlap.
GXR_INTERNAL_API std::vector<TextRange> find_secrets(std::string_view text);

/// The text with "***" for each secret. Errors, diagnostics, the log and answers go
/// through this.
GXR_INTERNAL_API std::string without_secrets(std::string text);

}  // namespace gxr
