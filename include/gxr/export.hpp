#pragma once

/// GXR_API marks what libgxr.so exports to extensions and embedding programs.
#define GXR_API __attribute__((visibility("default")))
