#pragma once

#include "gxf/std/default_extension.hpp"

// An extension's list of types: one of its source files has GXF_EXT_FACTORY_BEGIN(), _SET_INFO(),
// _ADD…() for each type, and _END(). A base comes before the types that name it.

#define GXF_EXT_FACTORY_BEGIN()                                                             \
  namespace {                                                                               \
  ::nvidia::gxf::Expected<void> GxfFillExtension(::nvidia::gxf::DefaultExtension& filled) { \
    ::nvidia::gxf::Expected<void> outcome;

#define GXF_EXT_FACTORY_SET_INFO(HASH1, HASH2, NAME, DESCRIPTION, AUTHOR, VERSION, LICENSE) \
  { outcome &= filled.setInfo({(HASH1), (HASH2)}, NAME, DESCRIPTION, AUTHOR, VERSION, LICENSE); }

#define GXF_EXT_FACTORY_SET_DISPLAY_INFO(DISPLAY_NAME, CATEGORY, BRIEF) \
  { outcome &= filled.setDisplayInfo(DISPLAY_NAME, CATEGORY, BRIEF); }

#define GXF_EXT_FACTORY_ADD_VERBOSE(HASH1, HASH2, TYPE, BASE, DISPLAY_NAME, BRIEF, DESCRIPTION) \
  { outcome &= filled.add<TYPE, BASE>({(HASH1), (HASH2)}, DESCRIPTION, DISPLAY_NAME, BRIEF); }
#define GXF_EXT_FACTORY_ADD(HASH1, HASH2, TYPE, BASE, DESCRIPTION) \
  { outcome &= filled.add<TYPE, BASE>({(HASH1), (HASH2)}, DESCRIPTION); }
#define GXF_EXT_FACTORY_ADD_LITE(HASH1, HASH2, TYPE, BASE) \
  { outcome &= filled.add<TYPE, BASE>({(HASH1), (HASH2)}, ""); }

#define GXF_EXT_FACTORY_ADD_0_VERBOSE(HASH1, HASH2, TYPE, DISPLAY_NAME, BRIEF, DESCRIPTION) \
  { outcome &= filled.add<TYPE>({(HASH1), (HASH2)}, DESCRIPTION, DISPLAY_NAME, BRIEF); }
#define GXF_EXT_FACTORY_ADD_0(HASH1, HASH2, TYPE, DESCRIPTION) \
  { outcome &= filled.add<TYPE>({(HASH1), (HASH2)}, DESCRIPTION); }
#define GXF_EXT_FACTORY_ADD_0_LITE(HASH1, HASH2, TYPE) \
  { outcome &= filled.add<TYPE>({(HASH1), (HASH2)}, ""); }

#define GXF_EXT_FACTORY_END()                                                                    \
  return outcome & filled.checkInfo();                                                           \
  }                                                                                              \
  }                                                                                              \
  /* The library's own, whatever other libraries of extensions it is linked with. */             \
  extern "C" __attribute__((visibility("hidden"))) gxf_result_t gxr_gxf_factory(void** result) { \
    if (result == nullptr) {                                                                     \
      return GXF_ARGUMENT_NULL;                                                                  \
    }                                                                                            \
    static ::nvidia::gxf::DefaultExtension extension;                                            \
    static const ::nvidia::gxf::Expected<void> outcome = GxfFillExtension(extension);            \
    *result = &extension;                                                                        \
    return ::nvidia::gxf::ToResultCode(outcome);                                                 \
  }                                                                                              \
  extern "C" __attribute__((visibility("default"))) gxf_result_t GxfExtensionFactory(            \
      void** result) {                                                                           \
    return gxr_gxf_factory(result);                                                              \
  }
