// The texts of extensions/media: addresses, pipelines, and files of credentials. The first byte
// says which.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "document/secrets.hpp"
#include "gxr/error.hpp"
#include "media/credentials.hpp"
#include "media/rtsp_address.hpp"
#include "media/source_text.hpp"
#include "tests/fuzz/promise.hpp"

namespace {

using gxr::fuzz::require;

bool has_password(void (*refuse)(std::string_view), const std::string& text) {
  try {
    refuse(text);
    return false;
  } catch (const gxr::Error& error) {
    require(text.size() < 8 || error.message().find(text) == std::string::npos,
            "a refusal does not quote the text");
    return true;
  }
}

/// Of a user and a password, whatever it has; in a pipeline, some signs end a word.
void try_password(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view user = text.substr(0, colon);
  if (colon == std::string_view::npos || colon + 1 == text.size() ||
      user.find_first_of("/?#@[") != std::string_view::npos) {
    return;
  }
  const std::string address = "rtsp://" + std::string(text) + "@camera/live";
  const std::string_view password = text.substr(colon + 1);
  const std::size_t digits = password.find_first_not_of("0123456789");
  // "host:80/name@camera" is no password but a port and a path.
  const bool is_port = digits != std::string_view::npos &&
                       std::string_view("/?#").find(password[digits]) != std::string_view::npos;
  require(is_port || has_password(gxr::media::refuse_password_in_address, address),
          "a password in an address is refused");
  const std::string hidden = gxr::without_secrets(address);
  require(is_port || text.find('\n') != std::string_view::npos || password.starts_with('*') ||
              !hidden.ends_with(std::string(password) + "@camera/live"),
          "a password in an address is hidden");
  const bool ends_word = text.find_first_of(" \t\n\"'") != std::string_view::npos;
  require(is_port || ends_word || has_password(gxr::media::refuse_password_in_pipeline, address),
          "a password in a pipeline is refused");
}

void try_address(const std::string& text) {
  try {
    const gxr::media::RtspAddress address = gxr::media::parse_rtsp_address(text);
    const gxr::media::RtspAddress again =
        gxr::media::parse_rtsp_address(gxr::media::text_of(address));
    require(again.host == address.host && again.port == address.port && again.path == address.path,
            "an address is read back from its text");
    static_cast<void>(gxr::media::is_loopback(address));
  } catch (const gxr::Error&) {
  }
}

void try_uri(const std::string& text) {
  try {
    static_cast<void>(gxr::media::pipeline_of_uri(text, {}));
  } catch (const gxr::Error&) {
  }
}

void try_credentials(std::string_view text) {
  static const std::string path = "/tmp/gxr_fuzz_media." + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << text;
  ::chmod(path.c_str(), S_IRUSR | S_IWUSR);
  try {
    const gxr::media::Credentials read = gxr::media::read_credentials(path);
    const std::string line = read.user + ":" + read.password;
    require(text == line || text == line + "\n", "credentials are what the file holds");
  } catch (const gxr::Error& error) {
    require(text.size() < 8 || error.message().find(text) == std::string::npos,
            "a refusal does not quote the file");
  }
  ::unlink(path.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const unsigned kind = text.empty() ? 0 : static_cast<unsigned char>(text.front()) % 5U;
  text.remove_prefix(text.empty() ? 0 : 1);
  switch (kind) {
    case 0:
      try_address(std::string(text));
      break;
    case 1:
      try_password(text);
      break;
    case 2:
      static_cast<void>(has_password(gxr::media::refuse_password_in_pipeline, std::string(text)));
      break;
    case 3:
      try_uri(std::string(text));
      break;
    default:
      try_credentials(text);
      break;
  }
  return 0;
}
