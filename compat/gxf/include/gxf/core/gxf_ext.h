#pragma once

#include <stdio.h>  // NOLINT(modernize-deprecated-headers)

#include "gxf/core/gxf.h"

/// The group of entities that are in no other.
#define kDefaultEntityGroupName "default_entity_group"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GXF_SEVERITY_NONE = 0,
  GXF_SEVERITY_ERROR = 1,
  GXF_SEVERITY_WARNING = 2,
  GXF_SEVERITY_INFO = 3,
  GXF_SEVERITY_DEBUG = 4,
  GXF_SEVERITY_VERBOSE = 5,
} gxf_severity_t;

typedef uint32_t GxfFlags;

typedef struct {
  const char* const* extension_filenames;
  uint32_t extension_filenames_count;
  const char* const* manifest_filenames;
  uint32_t manifest_filenames_count;
  const char* base_directory;
} GxfLoadExtensionsInfo;

typedef enum {
  GXF_ENTITY_CREATE_PROGRAM_BIT = 1,
} GxfEntityCreateFlagBits;
typedef GxfFlags GxfEntityCreateFlags;

typedef struct {
  const char* entity_name;
  GxfEntityCreateFlags flags;
} GxfEntityCreateInfo;

// --- log ---------------------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfSetSeverity(gxf_context_t context, gxf_severity_t severity);
GXR_GXF_API gxf_result_t GxfGetSeverity(gxf_context_t context, gxf_severity_t* severity);
GXR_GXF_API gxf_result_t GxfRedirectLog(gxf_context_t context, FILE* file);

// --- extensions and entities -------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfLoadExtensions(gxf_context_t context,
                                           const GxfLoadExtensionsInfo* info);
GXR_GXF_API gxf_result_t GxfCreateEntity(gxf_context_t context, const GxfEntityCreateInfo* info,
                                         gxf_uid_t* eid);
GXR_GXF_API gxf_result_t GxfCreateEntityAndGetItem(gxf_context_t context,
                                                   const GxfEntityCreateInfo* info, gxf_uid_t* eid,
                                                   void** item);

// --- groups of entities ------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfCreateEntityGroup(gxf_context_t context, const char* name,
                                              gxf_uid_t* gid);
GXR_GXF_API gxf_result_t GxfUpdateEntityGroup(gxf_context_t context, gxf_uid_t gid, gxf_uid_t eid);
GXR_GXF_API gxf_result_t GxfEntityGroupId(gxf_context_t context, gxf_uid_t eid, gxf_uid_t* gid);
GXR_GXF_API gxf_result_t GxfEntityGroupName(gxf_context_t context, gxf_uid_t eid,
                                            const char** name);
GXR_GXF_API gxf_result_t GxfEntityGroupFindResources(gxf_context_t context, gxf_uid_t eid,
                                                     uint64_t* count, gxf_uid_t* resources);
GXR_GXF_API gxf_result_t GxfEntityResourceGetHandle(gxf_context_t context, gxf_uid_t eid,
                                                    const char* type, const char* key,
                                                    gxf_uid_t* cid);

#ifdef __cplusplus
}  // extern "C"
#endif

// --- functions of older versions -----------------------------------------------------------------

GXR_GXF_INLINE gxf_result_t GxfContextCreate1(gxf_context_t shared, gxf_context_t* context) {
  return GxfContextCreateShared(shared, context);
}

GXR_GXF_INLINE gxf_result_t GxfEntityCreate(gxf_context_t context, gxf_uid_t* eid) {
  const GxfEntityCreateInfo info = {NULL, 0};
  return GxfCreateEntity(context, &info, eid);
}

GXR_GXF_INLINE gxf_result_t GxfLoadExtension(gxf_context_t context, const char* filename) {
  const GxfLoadExtensionsInfo info = {&filename, 1, NULL, 0, NULL};
  return GxfLoadExtensions(context, &info);
}

GXR_GXF_INLINE gxf_result_t GxfLoadExtensionManifest(gxf_context_t context, const char* filename) {
  const GxfLoadExtensionsInfo info = {NULL, 0, &filename, 1, NULL};
  return GxfLoadExtensions(context, &info);
}
