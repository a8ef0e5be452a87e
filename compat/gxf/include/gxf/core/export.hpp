#pragma once

/// GXR_GXF_API marks what libgxr_gxf.so exports to extensions and programs.
#define GXR_GXF_API __attribute__((visibility("default")))
