#include "registry/descriptor_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/version.hpp"

namespace gxr {
namespace {

constexpr std::string_view kSdkWord = "sdk=";
constexpr ExtensionDescriptor kOwn = make_extension_descriptor("gxr", "", "", "");

/// Magic, size and version have the same place in every version of the descriptor.
constexpr std::size_t kFixedPart = offsetof(ExtensionDescriptor, sdk_version);

/// Ends the text, and takes out of it what a terminal would obey: others print it as it is.
template <std::size_t N>
void tidy(char (&field)[N]) {
  field[N - 1] = '\0';
  if (printable(field) != field) {
    std::replace_if(
        field, field + std::strlen(field),
        [](char c) { return static_cast<unsigned char>(c - 0x20) >= 0x7F - 0x20; }, '?');
  }
}

std::string version_text(const std::uint32_t (&version)[3]) {
  return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
         std::to_string(version[2]);
}

std::string own_sdk_version() { return version_text(kOwn.sdk_version); }

[[noreturn]] void incompatible(const std::filesystem::path& file, const std::string& difference) {
  throw Error(ErrorCode::Incompatible, quote_text(file.string()) + " " + difference);
}

void check_descriptor_version(const ExtensionDescriptor& d, const std::filesystem::path& file) {
  if (d.descriptor_version == kDescriptorVersion) {
    return;
  }
  const std::string versions =
      "has a descriptor of version " + std::to_string(d.descriptor_version) + ", this gxr " +
      own_sdk_version() + " reads version " + std::to_string(kDescriptorVersion);
  const bool older = d.descriptor_version < kDescriptorVersion;
  incompatible(
      file, versions + (older ? ": rebuild the extension with this gxr's SDK"
                              : ": use a newer gxr, or rebuild the extension with this gxr's SDK"));
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    found.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return found;
}

/// One word of an ABI tag for people: "sanitize=address" → "with -fsanitize=address".
std::string spell(std::string_view word) {
  if (word == "sanitize=none") {
    return "without a sanitizer";
  }
  if (word.substr(0, 9) == "sanitize=") {
    return "with -f" + std::string(word);
  }
  if (word.substr(0, 6) == "cxx11=") {
    return "with -D_GLIBCXX_USE_CXX11_ABI=" + std::string(word.substr(6));
  }
  return "for " + std::string(word);
}

void check_sdk(const ExtensionDescriptor& d, std::string_view theirs,
               std::span<const std::string_view> compatible, const std::filesystem::path& file) {
  if (std::find(compatible.begin(), compatible.end(), theirs) == compatible.end()) {
    incompatible(file, "was built with other headers, of gxr " + version_text(d.sdk_version) +
                           " (fingerprint " + std::string(theirs) + "; this gxr " +
                           own_sdk_version() + " has " + std::string(kSdkFingerprint) +
                           "): rebuild the extension with this gxr's SDK");
  }
}

void check_abi_tag(const ExtensionDescriptor& d, std::span<const std::string_view> compatible,
                   const std::filesystem::path& file) {
  const std::vector<std::string_view> theirs = words(d.abi_tag);
  const std::vector<std::string_view> own = words(own_abi_tag());
  for (std::size_t i = 0; i < own.size() && i < theirs.size(); ++i) {
    if (own[i] == theirs[i]) {
      continue;
    }
    if (theirs[i].starts_with(kSdkWord) && own[i].starts_with(kSdkWord)) {
      check_sdk(d, theirs[i].substr(kSdkWord.size()), compatible, file);
      continue;
    }
    incompatible(file, "was built " + spell(theirs[i]) + ", this gxr " + spell(own[i]) +
                           ": rebuild the extension with the settings of this gxr");
  }
  if (own.size() != theirs.size()) {
    incompatible(file, "was built for the ABI '" + std::string(d.abi_tag) + "', this gxr for '" +
                           std::string(own_abi_tag()) +
                           "': rebuild the extension with the settings of this gxr");
  }
}

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& what) {
  throw Error(ErrorCode::InvalidData, quote_text(file.string()) + " has a section " +
                                          kDescriptorSection + " that " + what +
                                          ": build the extension again with gxr_add_extension");
}

}  // namespace

std::string_view own_abi_tag() noexcept { return kOwn.abi_tag; }

ExtensionDescriptor parse_descriptor(std::string_view section, const std::filesystem::path& file,
                                     std::span<const std::string_view> compatible) {
  ExtensionDescriptor d{};
  if (section.size() < kFixedPart) {
    damaged(file, "is too short");
  }
  std::memcpy(&d, section.data(), kFixedPart);
  if (std::memcmp(d.magic, kOwn.magic, sizeof(d.magic)) != 0) {
    damaged(file, "was not written by gxr");
  }
  check_descriptor_version(d, file);
  if (d.descriptor_size != sizeof(d) || section.size() < sizeof(d)) {
    damaged(file, "has the wrong size");
  }
  std::memcpy(&d, section.data(), sizeof(d));
  tidy(d.abi_tag);
  tidy(d.name);
  tidy(d.version);
  tidy(d.license);
  tidy(d.description);
  check_abi_tag(d, compatible, file);
  if (d.name[0] == '\0') {
    damaged(file, "gives no name");
  }
  return d;
}

}  // namespace gxr
