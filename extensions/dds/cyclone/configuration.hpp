#pragma once

#include <string>

#include "dds/transport.hpp"

namespace gxr::dds {

/// How Cyclone DDS is configured for a membership, as the list of pieces of XML and files that it
/// takes: what is best for gxr, what the user's environment says (CYCLONEDDS_URI, `user`), and what
/// the membership asks for.
[[nodiscard]] std::string configuration(const Membership& membership, const std::string& user);

}  // namespace gxr::dds
