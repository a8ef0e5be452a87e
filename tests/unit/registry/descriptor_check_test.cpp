#include "registry/descriptor_check.hpp"

#include <cstring>
#include <span>
#include <string_view>

#include "catch.hpp"
#include "extension_bytes.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;

template <class Change>
std::string refusal(Change change, std::span<const std::string_view> compatible = {}) {
  ExtensionDescriptor d = make_extension_descriptor("mine", "1.2.3", "MIT", "A test");
  change(d);
  try {
    static_cast<void>(parse_descriptor(test::bytes_of(d), "mine.so", compatible));
  } catch (const Error& error) {
    return error.message();
  }
  return "accepted";
}

TEST_CASE("A descriptor of this build is accepted") {
  CHECK(refusal([](auto&) {}) == "accepted");
  CHECK(refusal([](auto& d) { d.sdk_version[1] += 9; }) == "accepted");
  const ExtensionDescriptor d = parse_descriptor(
      test::bytes_of(make_extension_descriptor("mine", "1.2.3", "MIT", "A test")), "mine.so");
  CHECK(std::string(d.name) == "mine");
  CHECK(std::string(d.description) == "A test");
}

TEST_CASE("Each difference has its own message") {
  CHECK_THAT(refusal([](auto& d) { d.descriptor_version = 0; }),
             ContainsSubstring("has a descriptor of version 0"));
  CHECK_THAT(refusal([](auto& d) { d.descriptor_version = 99; }),
             ContainsSubstring("use a newer gxr"));
  CHECK_THAT(refusal([](auto& d) { d.magic[3] = '?'; }), ContainsSubstring("not written by gxr"));
  CHECK_THAT(refusal([](auto& d) { d.descriptor_size -= 4; }), ContainsSubstring("wrong size"));
  CHECK_THAT(refusal([](auto& d) { d.name[0] = '\0'; }), ContainsSubstring("gives no name"));
}

TEST_CASE("The ABI tag's first differing word is spelt out") {
  const auto with_tag = [](const char* tag) {
    return refusal([&](auto& d) { std::strcpy(d.abi_tag, tag); });
  };
  const std::string own(own_abi_tag());
  const std::string architecture = own.substr(0, own.find(' '));
  CHECK_THAT(with_tag("sparc cxx11=1 sanitize=none"),
             ContainsSubstring("was built for sparc, this gxr for " + architecture));
  CHECK_THAT(with_tag((architecture + " cxx11=0 sanitize=none").c_str()),
             ContainsSubstring("_GLIBCXX_USE_CXX11_ABI=0, this gxr with"));
  CHECK_THAT(with_tag((architecture + " cxx11=1 sanitize=memory").c_str()),
             ContainsSubstring("was built with -fsanitize=memory, this gxr with"));
  CHECK_THAT(with_tag("strange"), ContainsSubstring("rebuild"));
  CHECK_THAT(with_tag(""), ContainsSubstring("rebuild"));
}

TEST_CASE("Other headers are refused, unless they are known to be compatible") {
  const auto with_fingerprint = [](const char* text) {
    return [text](ExtensionDescriptor& d) {
      char* const own = std::strstr(d.abi_tag, "sdk=");
      REQUIRE(own != nullptr);
      std::strcpy(own + 4, text);
      d.sdk_version[0] = 7;
    };
  };
  constexpr std::string_view kOlder[] = {"0000000000000001", "0000000000000002"};
  CHECK_THAT(refusal(with_fingerprint("0000000000000002")),
             ContainsSubstring("was built with other headers, of gxr 7.") &&
                 ContainsSubstring("(fingerprint 0000000000000002; this gxr"));
  CHECK(refusal(with_fingerprint("0000000000000002"), kOlder) == "accepted");
  CHECK_THAT(refusal(with_fingerprint("0000000000000003"), kOlder),
             ContainsSubstring("was built with other headers"));
  CHECK_THAT(refusal(with_fingerprint(""), kOlder), ContainsSubstring("other headers"));
}

TEST_CASE("Texts without an end stay inside their field") {
  const auto fill = [](auto& d) { std::memset(d.description, 'x', sizeof(d.description)); };
  CHECK(refusal(fill) == "accepted");
  ExtensionDescriptor d = make_extension_descriptor("mine", "1", "", "");
  fill(d);
  CHECK(std::strlen(parse_descriptor(test::bytes_of(d), "mine.so").description) ==
        sizeof(d.description) - 1);
}

TEST_CASE("A short section is refused") {
  const std::string bytes = test::bytes_of(make_extension_descriptor("mine", "1", "", ""));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_THROWS_AS(parse_descriptor(bytes.substr(0, size), "mine.so"), Error);
  }
}

}  // namespace
}  // namespace gxr
