#pragma once

#include <string>
#include <vector>

namespace gxr::image {

/// The picture files that `path` means: a file itself; of a folder all files that end in .png,
/// .jpg, .jpeg, .tif, .tiff, .ppm, .pgm or .pnm; otherwise what matches it as a glob pattern (*, ?,
/// [...]). Folders and patterns are put in natural order. Relative paths start at the working
/// directory. Throws Error(NotFound) when there is none.
std::vector<std::string> find_pictures(const std::string& path);

}  // namespace gxr::image
