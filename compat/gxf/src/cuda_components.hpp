#pragma once

#include <memory>
#include <utility>

#include "gxf/core/component.hpp"
#include "gxr/component.hpp"

namespace nvidia::gxf::layer {

/// The facade of a component of gxr's extension `cuda`, with the name of its type; null for others.
std::pair<std::unique_ptr<Component>, const char*> make_cuda_facade(gxr::Component& component);

}  // namespace nvidia::gxf::layer
