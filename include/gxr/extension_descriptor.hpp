#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gxr/version.hpp"

namespace gxr {

/// Changes when the layout of ExtensionDescriptor does.
inline constexpr std::uint32_t kDescriptorVersion = 5;

/// What a reader learns about an extension file without running any of its code: the content of the
/// ELF section
/// `.gxr.extension`. Integers and characters only, so that no relocation is needed to read it.
/// Texts are NUL-terminated and cut at the size of their field.
struct ExtensionDescriptor {
  char magic[16];                    ///< kExtensionMagic
  std::uint32_t descriptor_size;     ///< bytes of this structure
  std::uint32_t descriptor_version;  ///< kDescriptorVersion
  std::uint32_t sdk_version[3];      ///< of the gxr that it was built with: major, minor, patch
  std::uint32_t reserved;            ///< 0
  /// Architecture, libstdc++ ABI, sanitizer and fingerprint of the SDK:
  /// "x86_64 cxx11=1 sanitize=none sdk=0123456789abcdef".
  char abi_tag[64];
  char name[64];          ///< of the extension
  char version[32];       ///< of the extension
  char license[64];       ///< SPDX identifier, may be empty
  char description[512];  ///< one line, may be empty
};

/// How ExtensionDescriptor::magic begins.
inline constexpr std::string_view kExtensionMagic = "GXR-EXTENSION";
/// Name of the ELF section that holds the ExtensionDescriptor.
inline constexpr const char* kDescriptorSection = ".gxr.extension";
/// JSON of all types of the extension, added after linking.
inline constexpr const char* kTypesSection = ".gxr.types";
/// Name of the C function `void(gxr::Extension&)` that every extension exports.
inline constexpr const char* kFactorySymbol = "gxr_extension";

namespace detail {

constexpr std::string_view architecture() {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

constexpr std::string_view string_abi() {
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI == 0
  return " cxx11=0";
#else
  return " cxx11=1";
#endif
}

constexpr std::string_view sanitizers() {
#if defined(__SANITIZE_ADDRESS__)
  return " sanitize=address";
#elif defined(__SANITIZE_THREAD__)
  return " sanitize=thread";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return " sanitize=address";
#elif __has_feature(thread_sanitizer)
  return " sanitize=thread";
#else
  return " sanitize=none";
#endif
#else
  return " sanitize=none";
#endif
}

template <std::size_t N>
constexpr void append_text(char (&field)[N], std::string_view text) {
  std::size_t at = 0;
  while (at < N && field[at] != '\0') {
    ++at;
  }
  for (std::size_t i = 0; i < text.size() && at + 1 < N; ++i) {
    field[at++] = text[i];
  }
}

}  // namespace detail

/// The descriptor of an extension that is compiled with these headers. Texts that are too long are
/// cut.
constexpr ExtensionDescriptor make_extension_descriptor(std::string_view name,
                                                        std::string_view version,
                                                        std::string_view license,
                                                        std::string_view description) {
  ExtensionDescriptor d{};
  detail::append_text(d.magic, kExtensionMagic);
  d.descriptor_size = sizeof(ExtensionDescriptor);
  d.descriptor_version = kDescriptorVersion;
  d.sdk_version[0] = kSdkVersionMajor;
  d.sdk_version[1] = kSdkVersionMinor;
  d.sdk_version[2] = kSdkVersionPatch;
  detail::append_text(d.abi_tag, detail::architecture());
  detail::append_text(d.abi_tag, detail::string_abi());
  detail::append_text(d.abi_tag, detail::sanitizers());
  detail::append_text(d.abi_tag, " sdk=");
  detail::append_text(d.abi_tag, kSdkFingerprint);
  detail::append_text(d.name, name);
  detail::append_text(d.version, version);
  detail::append_text(d.license, license);
  detail::append_text(d.description, description);
  return d;
}

}  // namespace gxr
