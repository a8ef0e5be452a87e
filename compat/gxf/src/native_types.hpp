#pragma once

namespace nvidia::gxf::layer {

/// Fills the table of types with those that gxr has itself.
void add_native_types();
/// Those of them that are classes of their own for sources; add_native_types() calls it.
void add_native_parts();

}  // namespace nvidia::gxf::layer
