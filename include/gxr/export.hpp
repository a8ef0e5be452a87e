#pragma once

/// GXR_API marks what libgxr.so exports to extensions and embedding programs.
#define GXR_API __attribute__((visibility("default")))

namespace gxr {

class EngineAccess;  // of the engine: its way to what classes of the SDK keep to themselves

}  // namespace gxr
