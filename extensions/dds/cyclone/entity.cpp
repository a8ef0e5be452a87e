#include "dds/cyclone/entity.hpp"

#include "gxr/error.hpp"

namespace gxr::dds {

dds_entity_t check(dds_return_t result, const std::string& action) {
  if (result < 0) {
    throw Error(ErrorCode::InputOutput,
                "Cyclone DDS cannot " + action + ": " + dds_strretcode(result));
  }
  return result;
}

}  // namespace gxr::dds
