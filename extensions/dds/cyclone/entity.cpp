#include "dds/cyclone/entity.hpp"

#include "gxr/error.hpp"

namespace gxr::dds {

dds_entity_t check(dds_return_t result, const std::string& action) {
  if (result < 0) {
    // DDS_RETCODE_ERROR is only called "Error"; the library's log says more.
    const std::string reason =
        result == DDS_RETCODE_ERROR ? "" : std::string(": ") + dds_strretcode(result);
    throw Error(ErrorCode::InputOutput, "Cyclone DDS cannot " + action + reason);
  }
  return result;
}

}  // namespace gxr::dds
