#pragma once

#include <string>

#include "gxr/allocator.hpp"
#include "gxr/interface.hpp"
#include "gxr/parameter.hpp"

// Parameters that several operators have, with the same words.

namespace gxr::image {

/// `pool`: where the memory of results comes from.
void declare_pool(Interface& interface, Parameter<Handle<Allocator>>& pool);
/// `in_tensor_name`: empty for a message's first tensor or VideoBuffer.
void declare_in_tensor_name(Interface& interface, Parameter<std::string>& name);
/// `out_tensor_name`; `empty` says what an empty one means.
void declare_out_tensor_name(Interface& interface, Parameter<std::string>& name,
                             const char* empty = "Empty: the name of what was read.");

}  // namespace gxr::image
