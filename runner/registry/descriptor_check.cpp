#include "registry/descriptor_check.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "gxr/error.hpp"

namespace gxr {
namespace {

constexpr ExtensionDescriptor kOwn = make_extension_descriptor("gxr", "", "", "");

/// Magic, size and ABI version have the same place in every version of the descriptor.
constexpr std::size_t kFixedPart = offsetof(ExtensionDescriptor, sdk_version);

template <std::size_t N>
void terminate(char (&field)[N]) {
  field[N - 1] = '\0';
}

std::string version_text(const std::uint32_t (&version)[3]) {
  return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
         std::to_string(version[2]);
}

std::string own_version() { return version_text(kOwn.sdk_version); }

[[noreturn]] void incompatible(const std::filesystem::path& file, const std::string& difference) {
  throw Error(ErrorCode::Incompatible, "'" + file.string() + "' " + difference);
}

void check_abi_version(const ExtensionDescriptor& d, const std::filesystem::path& file) {
  if (d.abi_version == kAbiVersion) {
    return;
  }
  const std::string versions = "was built for extension ABI " + std::to_string(d.abi_version) +
                               ", this gxr " + own_version() + " has ABI " +
                               std::to_string(kAbiVersion);
  const bool older = d.abi_version < kAbiVersion;
  incompatible(
      file, versions + (older ? ": rebuild the extension with this gxr's SDK"
                              : ": use a newer gxr, or rebuild the extension with this gxr's SDK"));
}

void check_sdk_version(const ExtensionDescriptor& d, const std::filesystem::path& file) {
  if (d.sdk_version[0] != kSdkVersionMajor || d.sdk_version[1] != kSdkVersionMinor) {
    incompatible(file,
                 "was built with SDK " + version_text(d.sdk_version) + ", this gxr is " +
                     own_version() +
                     " (major and minor must be equal): rebuild the extension with this gxr's SDK");
  }
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

void check_abi_tag(const ExtensionDescriptor& d, const std::filesystem::path& file) {
  if (std::string_view(d.abi_tag) == own_abi_tag()) {
    return;
  }
  const std::vector<std::string_view> theirs = words(d.abi_tag);
  const std::vector<std::string_view> own = words(own_abi_tag());
  for (std::size_t i = 0; i < own.size() && i < theirs.size(); ++i) {
    if (own[i] != theirs[i]) {
      incompatible(file, "was built " + spell(theirs[i]) + ", this gxr " + spell(own[i]) +
                             ": rebuild the extension with the settings of this gxr");
    }
  }
  incompatible(file, "was built for the ABI '" + std::string(d.abi_tag) + "', this gxr for '" +
                         std::string(own_abi_tag()) +
                         "': rebuild the extension with the settings of this gxr");
}

[[noreturn]] void damaged(const std::filesystem::path& file, const std::string& what) {
  throw Error(ErrorCode::InvalidData, "'" + file.string() + "' has a section " +
                                          kDescriptorSection + " that " + what +
                                          ": build the extension again with gxr_add_extension");
}

}  // namespace

std::string_view own_abi_tag() noexcept { return kOwn.abi_tag; }

ExtensionDescriptor parse_descriptor(std::string_view section, const std::filesystem::path& file) {
  ExtensionDescriptor d{};
  if (section.size() < kFixedPart) {
    damaged(file, "is too short");
  }
  std::memcpy(&d, section.data(), kFixedPart);
  if (std::memcmp(d.magic, kOwn.magic, sizeof(d.magic)) != 0) {
    damaged(file, "was not written by gxr");
  }
  check_abi_version(d, file);
  if (d.descriptor_size != sizeof(d) || section.size() < sizeof(d)) {
    damaged(file, "has the wrong size");
  }
  std::memcpy(&d, section.data(), sizeof(d));
  terminate(d.abi_tag);
  terminate(d.name);
  terminate(d.version);
  terminate(d.license);
  terminate(d.description);
  check_sdk_version(d, file);
  check_abi_tag(d, file);
  if (d.name[0] == '\0') {
    damaged(file, "gives no name");
  }
  return d;
}

}  // namespace gxr
