#pragma once

#include <string>
#include <vector>

#include "gxr/consumers.hpp"
#include "media/pixel_format.hpp"

namespace gxr::media {

/// The format of pictures in a part of this name that all consumers take by what their ports
/// declare; of several the first of RGB, BGR, RGBA, GRAY8, GRAY16, YUY2, NV12, I420, P010. A mosaic
/// only where somebody needs its pattern. Throws Error(InvalidParameter), which names the
/// consumers, when there is none.
PixelFormat format_for(const std::vector<Consumer>& consumers, const std::string& part_name);

}  // namespace gxr::media
