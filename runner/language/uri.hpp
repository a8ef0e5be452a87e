#pragma once

#include <string>
#include <string_view>

namespace gxr::language {

/// The path of "file:///a%20b"; another URI stays as it is.
std::string path_of_uri(std::string_view uri);
/// The URI of an absolute path. Texts that path_of_uri() did not change stay the same.
std::string uri_of_path(std::string_view path);
/// The same path for all spellings of it: absolute, without links and dots.
std::string absolute_path(const std::string& path);

}  // namespace gxr::language
