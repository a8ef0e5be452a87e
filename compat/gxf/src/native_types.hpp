#pragma once

namespace nvidia::gxf::layer {

/// Fills the table of types with those that gxr has itself.
void add_native_types();

}  // namespace nvidia::gxf::layer
