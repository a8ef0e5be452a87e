#pragma once

#include <string>
#include <vector>

#include "dds/parts.hpp"
#include "dds/ros_times.hpp"
#include "gxr/message.hpp"

namespace gxr::dds {

/// What a sample gets that the message does not say.
struct RosDefaults {
  std::string frame_id;
  std::string child_frame_id;
  std::string picture;   ///< name of the picture in the message; empty: the first
  std::string encoding;  ///< of a picture; empty: by its elements
};

/// A sample of the type from the parts of a message: backwards what read_ros() does. Fields without
/// a part are 0 or empty. `left_out`: gets the names of parts that the type has no field for.
/// Throws Error: NotFound without a picture or points, WrongType for a part that does not fit its
/// field, NotSupported for a picture without an encoding, InvalidParameter for an encoding that
/// does not fit, and what HostView throws.
[[nodiscard]] Sample write_ros(const Description& type, const Message& message,
                               const RosDefaults& defaults, const RosTimes& times,
                               std::vector<std::string>& left_out);

}  // namespace gxr::dds
