#pragma once

#include <string>

#include "media/gstreamer.hpp"

namespace gxr::media {

/// Of "rtsp://HOST:PORT/PATH". Throws Error(InvalidParameter).
RtspAddress parse_rtsp_address(const std::string& uri);

/// The reverse.
std::string text_of(const RtspAddress& address);

/// Can only this machine reach it?
bool is_loopback(const RtspAddress& address);

}  // namespace gxr::media
