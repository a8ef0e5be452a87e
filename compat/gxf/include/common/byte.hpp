#pragma once

namespace nvidia {

using byte = unsigned char;

}  // namespace nvidia

using byte = unsigned char;
