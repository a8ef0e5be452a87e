#pragma once

/// GXR_INTERNAL_API marks what libgxr.so exports beyond the SDK: to gxr's own libgxr_cli.so,
/// libgxr_cuda.so and libgxr_gxf.so, which come from the same build. Nothing else may use it.
#define GXR_INTERNAL_API __attribute__((visibility("default")))
