#include "media/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "media/cameras.hpp"
#include "media/load_gstreamer.hpp"
#include "media/screen.hpp"

namespace gxr::media {
namespace {

namespace fs = std::filesystem;

bool takes_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

bool stays_in_uri(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' ||
         c == '-' || c == '.' || c == '_' || c == '~';
}

std::string uri_of_file(const fs::path& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char each : fs::absolute(path).string()) {
    const auto c = static_cast<unsigned char>(each);
    if (stays_in_uri(c)) {
      uri += each;
    } else {
      uri += '%';
      uri += kDigits[c >> 4U];
      uri += kDigits[c & 15U];
    }
  }
  return uri;
}

void require_readable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw Error(ErrorCode::InputOutput, path + ": this is a folder, not a file");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    const int reason = errno;
    throw Error(reason == ENOENT ? ErrorCode::NotFound : ErrorCode::InputOutput,
                path + ": " + system_error_text(reason));
  }
}

std::string caps(const char* media, const RequestedMode& mode) {
  std::string text = media;
  if (mode.width != 0) {
    text += ",width=" + std::to_string(mode.width);
  }
  if (mode.height != 0) {
    text += ",height=" + std::to_string(mode.height);
  }
  if (mode.frame_rate != 0.0) {
    text += ",framerate=" + fraction_of(mode.frame_rate);
  }
  return text;
}

bool is_name_of_pattern(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

std::string test_wave(std::string_view wave) {
  if (!is_name_of_pattern(wave)) {
    throw Error(ErrorCode::InvalidParameter,
                "'uri': write test://WAVE with a wave of audiotestsrc, for example test://sine "
                "('gst-inspect-1.0 audiotestsrc' lists all)");
  }
  require_element("audiotestsrc");
  return "audiotestsrc wave=" + std::string(wave);
}

std::string test_pattern(std::string_view pattern, const RequestedMode& mode, PixelFormat format) {
  if (is_mosaic(format) && format != PixelFormat::Bayer8) {
    throw Error(ErrorCode::InvalidParameter,
                "'format': test patterns have the mosaics of BAYER8 alone, not of " +
                    std::string(name_of(format)));
  }
  if (!is_name_of_pattern(pattern)) {
    throw Error(ErrorCode::InvalidParameter,
                "'uri': write test://PATTERN with a pattern of videotestsrc, for example "
                "test://smpte ('gst-inspect-1.0 videotestsrc' lists all)");
  }
  require_element("videotestsrc");
  const RequestedMode filled{mode.width == 0 ? 640 : mode.width,
                             mode.height == 0 ? 480 : mode.height,
                             mode.frame_rate == 0.0 ? 30.0 : mode.frame_rate};
  return "videotestsrc pattern=" + std::string(pattern) + " ! " +
         caps(is_mosaic(format) ? "video/x-bayer,format=rggb" : "video/x-raw,format=RGB", filled);
}

std::string camera(std::string_view device, const RequestedMode& mode, bool raw) {
  require_camera(std::string(device));
  require_element("v4l2src");
  std::string text = "v4l2src device=" + quoted_for_pipeline(device) + " ! ";
  if (raw) {
    return text + caps("video/x-bayer", mode);
  }
  if (!mode.is_any()) {
    text += "capsfilter caps=" +
            quoted_for_pipeline(caps("video/x-raw", mode) + ";" + caps("image/jpeg", mode)) + " ! ";
  }
  return text + "decodebin name=gxr_decoder";
}

}  // namespace

bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  return colon != std::string_view::npos && colon >= 2 &&
         std::all_of(uri.begin(), uri.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-';
         });
}

std::string missing_file(const std::string& uri) {
  std::string_view path = uri;
  const bool is_file = takes_prefix(path, "v4l2://") || takes_prefix(path, "file://") ||
                       (!uri.empty() && !has_scheme(uri));
  // A URI with encoded characters names no path as it is written.
  if (!is_file || (uri.starts_with("file://") && path.find('%') != std::string_view::npos)) {
    return {};
  }
  std::string name(path);
  return ::access(name.c_str(), F_OK) != 0 && errno == ENOENT ? name : std::string();
}

std::string fraction_of(double frame_rate) {
  const auto thousandths = static_cast<std::int64_t>(std::llround(frame_rate * 1000.0));
  const std::int64_t divisor = std::gcd(thousandths, std::int64_t{1000});
  return std::to_string(thousandths / divisor) + "/" + std::to_string(1000 / divisor);
}

std::string pipeline_of_uri(const std::string& uri, const RequestedMode& mode, PixelFormat format) {
  std::string_view rest = uri;
  if (takes_prefix(rest, "test://")) {
    return test_pattern(rest, mode, format);
  }
  if (takes_prefix(rest, "v4l2://")) {
    return camera(rest, mode, is_mosaic(format));
  }
  if (uri == "screen://" && mode.width == 0 && mode.height == 0 && !is_mosaic(format)) {
    return pipeline_from_screen(mode.frame_rate);
  }
  if (!mode.is_any()) {
    throw Error(ErrorCode::InvalidParameter,
                "'width', 'height' and 'frame_rate' ask a camera or a test pattern; what '" + uri +
                    "' delivers is as it is");
  }
  if (is_mosaic(format)) {
    throw Error(ErrorCode::InvalidParameter,
                "'format' " + std::string(name_of(format)) +
                    " is for cameras, test patterns and a 'pipeline'; what '" + uri +
                    "' delivers is no mosaic");
  }
  std::string address = uri;
  if (!has_scheme(uri)) {
    require_readable(uri);
    address = uri_of_file(uri);
  } else if (takes_prefix(rest, "file://") && rest.find('%') == std::string_view::npos) {
    require_readable(std::string(rest));
    address = uri_of_file(rest);
  }
  require_element("uridecodebin");
  return "uridecodebin name=gxr_decoder uri=" + quoted_for_pipeline(address);
}

std::string sound_pipeline_of_uri(const std::string& uri) {
  std::string_view rest = uri;
  if (takes_prefix(rest, "test://")) {
    return test_wave(rest);
  }
  if (uri.starts_with("v4l2:") || uri.starts_with("screen:")) {
    throw Error(
        ErrorCode::InvalidParameter,
        "'uri': '" + uri + "' has no sound; a microphone is a 'pipeline', for example 'pulsesrc'");
  }
  return pipeline_of_uri(uri, {});
}

}  // namespace gxr::media
