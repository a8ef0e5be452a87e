#pragma once

#include "gxr/type_provider.hpp"
#include "internal_api.hpp"

namespace gxr {

class RankSession;

/// The types of the entities that stand for other ranks: gxr::ranks::Sender and Receiver, and their
/// terms. `session` must outlive their components.
GXR_INTERNAL_API TypeProvider rank_end_types(RankSession& session);

}  // namespace gxr
