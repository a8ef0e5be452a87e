#pragma once

#include <string>
#include <string_view>

namespace gxr::media {

struct Credentials {
  std::string user;
  std::string password;
};

/// From a file with one line USER:PASSWORD that nobody but its owner can read. Throws Error, which
/// names the file and quotes nothing of it.
Credentials read_credentials(const std::string& path);

/// Throw Error(InvalidParameter) when an address or a pipeline has a password: texts of
/// applications are printed, logged and shared. A password in an address may have blanks and
/// quotes, but one in a pipeline ends at them.
void refuse_password_in_address(std::string_view address);
void refuse_password_in_pipeline(std::string_view text);

}  // namespace gxr::media
