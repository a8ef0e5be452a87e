#pragma once

// The C vocabulary of GXF, for C++ and for C.

#include <stdint.h>  // NOLINT(modernize-deprecated-headers): sources use the names without std::

#include "gxf/core/export.hpp"
#ifdef __cplusplus
#include "gxf/core/standard_headers.hpp"
#else
#include <stdbool.h>
#include <stddef.h>
#endif

/// The default of an argument, in C++.
#ifdef __cplusplus
#define GXR_GXF_DEFAULT(value) = value
#else
#define GXR_GXF_DEFAULT(value)
#endif

// clang-format off
#define kGxfCoreVersion "4.1.0"
// clang-format on

#define kNullUid 0L
#define kUnspecifiedUid (-1L)
#ifdef __cplusplus
#define kNullContext nullptr
#else
#define kNullContext NULL
#endif

#define kMaxExtensions 1024
#define kMaxEntities 1024
#define kMaxComponents 1024
#define kMaxParameters 1024
/// Names are shorter than this.
#define kMaxEntityNameSize 2048
#define kMaxComponentNameSize 256

/// The key of the hidden parameter that holds the name of a component.
#define kInternalNameParameterKey "__name"

/// A case of a switch that returns the spelling of `text`.
#define GXF_ENUM_TO_STR(value, text) \
  case value:                        \
    return #text;

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  GXF_SUCCESS = 0,
  GXF_FAILURE = 1,
  GXF_NOT_IMPLEMENTED = 2,
  GXF_FILE_NOT_FOUND = 3,
  GXF_INVALID_ENUM = 4,
  GXF_NULL_POINTER = 5,
  GXF_UNINITIALIZED_VALUE = 6,
  GXF_ARGUMENT_NULL = 7,
  GXF_ARGUMENT_OUT_OF_RANGE = 8,
  GXF_ARGUMENT_INVALID = 9,
  GXF_OUT_OF_MEMORY = 10,
  GXF_MEMORY_INVALID_STORAGE_MODE = 11,
  GXF_CONTEXT_INVALID = 12,
  GXF_EXTENSION_NOT_FOUND = 13,
  GXF_EXTENSION_FILE_NOT_FOUND = 14,
  GXF_EXTENSION_NO_FACTORY = 15,
  GXF_FACTORY_TOO_MANY_COMPONENTS = 16,
  GXF_FACTORY_DUPLICATE_TID = 17,
  GXF_FACTORY_UNKNOWN_TID = 18,
  GXF_FACTORY_ABSTRACT_CLASS = 19,
  GXF_FACTORY_UNKNOWN_CLASS_NAME = 20,
  GXF_FACTORY_INVALID_INFO = 21,
  GXF_FACTORY_INCOMPATIBLE = 22,
  GXF_ENTITY_NOT_FOUND = 23,
  GXF_ENTITY_NAME_EXCEEDS_LIMIT = 24,
  GXF_ENTITY_COMPONENT_NOT_FOUND = 25,
  GXF_ENTITY_COMPONENT_NAME_EXCEEDS_LIMIT = 26,
  GXF_ENTITY_CAN_NOT_ADD_COMPONENT_AFTER_INITIALIZATION = 27,
  GXF_ENTITY_CAN_NOT_REMOVE_COMPONENT_AFTER_INITIALIZATION = 28,
  GXF_ENTITY_MAX_COMPONENTS_LIMIT_EXCEEDED = 29,
  GXF_PARAMETER_NOT_FOUND = 30,
  GXF_PARAMETER_ALREADY_REGISTERED = 31,
  GXF_PARAMETER_INVALID_TYPE = 32,
  GXF_PARAMETER_OUT_OF_RANGE = 33,
  GXF_PARAMETER_NOT_INITIALIZED = 34,
  GXF_PARAMETER_CAN_NOT_MODIFY_CONSTANT = 35,
  GXF_PARAMETER_PARSER_ERROR = 36,
  GXF_PARAMETER_NOT_NUMERIC = 37,
  GXF_PARAMETER_MANDATORY_NOT_SET = 38,
  GXF_CONTRACT_INVALID_SEQUENCE = 39,
  GXF_CONTRACT_PARAMETER_NOT_SET = 40,
  GXF_CONTRACT_MESSAGE_NOT_AVAILABLE = 41,
  GXF_INVALID_LIFECYCLE_STAGE = 42,
  GXF_INVALID_EXECUTION_SEQUENCE = 43,
  GXF_REF_COUNT_NEGATIVE = 44,
  GXF_RESULT_ARRAY_TOO_SMALL = 45,
  GXF_INVALID_DATA_FORMAT = 46,
  GXF_EXCEEDING_PREALLOCATED_SIZE = 47,
  GXF_QUERY_NOT_ENOUGH_CAPACITY = 48,
  GXF_QUERY_NOT_APPLICABLE = 49,
  GXF_QUERY_NOT_FOUND = 50,
  GXF_NOT_FINISHED = 51,
  GXF_HTTP_GET_FAILURE = 52,
  GXF_HTTP_POST_FAILURE = 53,
  GXF_ENTITY_GROUP_NOT_FOUND = 54,
  GXF_RESOURCE_NOT_INITIALIZED = 55,
  GXF_RESOURCE_NOT_FOUND = 56,
  GXF_CONNECTION_BROKEN = 57,
  GXF_CONNECTION_ATTEMPTS_EXCEEDED = 58,
  GXF_IPC_CONNECTION_FAILURE = 59,
  GXF_IPC_CALL_FAILURE = 60,
  GXF_IPC_SERVICE_NOT_FOUND = 61,
} gxf_result_t;

typedef int64_t gxf_uid_t;
typedef void* gxf_context_t;

typedef struct {
  uint64_t hash1;
  uint64_t hash2;
} gxf_tid_t;

typedef enum {
  GXF_ENTITY_STATUS_NOT_STARTED = 0,
  GXF_ENTITY_STATUS_START_PENDING = 1,
  GXF_ENTITY_STATUS_STARTED = 2,
  GXF_ENTITY_STATUS_TICK_PENDING = 3,
  GXF_ENTITY_STATUS_TICKING = 4,
  GXF_ENTITY_STATUS_IDLE = 5,
  GXF_ENTITY_STATUS_STOP_PENDING = 6,
  GXF_ENTITY_MAX = 7,
} gxf_entity_status_t;

typedef enum {
  GXF_BEHAVIOR_INIT = 0,
  GXF_BEHAVIOR_SUCCESS = 1,
  GXF_BEHAVIOR_RUNNING = 2,
  GXF_BEHAVIOR_FAILURE = 3,
  GXF_BEHAVIOR_UNKNOWN = 4,
} entity_state_t;

typedef enum {
  GXF_EVENT_CUSTOM = 0,
  GXF_EVENT_EXTERNAL = 1,
  GXF_EVENT_MEMORY_FREE = 2,
  GXF_EVENT_MESSAGE_SYNC = 3,
  GXF_EVENT_TIME_UPDATE = 4,
  GXF_EVENT_STATE_UPDATE = 5,
} gxf_event_t;

/// Bits, which gxf_parameter_flags_t combines.
typedef enum {
  GXF_PARAMETER_FLAGS_NONE = 0,
  GXF_PARAMETER_FLAGS_OPTIONAL = 1,
  GXF_PARAMETER_FLAGS_DYNAMIC = 2,
} gxf_parameter_flags_t_;
typedef uint32_t gxf_parameter_flags_t;

typedef enum {
  GXF_PARAMETER_TYPE_CUSTOM = 0,
  GXF_PARAMETER_TYPE_HANDLE = 1,
  GXF_PARAMETER_TYPE_STRING = 2,
  GXF_PARAMETER_TYPE_INT64 = 3,
  GXF_PARAMETER_TYPE_UINT64 = 4,
  GXF_PARAMETER_TYPE_FLOAT64 = 5,
  GXF_PARAMETER_TYPE_BOOL = 6,
  GXF_PARAMETER_TYPE_INT32 = 7,
  GXF_PARAMETER_TYPE_FILE = 8,
  GXF_PARAMETER_TYPE_INT8 = 9,
  GXF_PARAMETER_TYPE_INT16 = 10,
  GXF_PARAMETER_TYPE_UINT8 = 11,
  GXF_PARAMETER_TYPE_UINT16 = 12,
  GXF_PARAMETER_TYPE_UINT32 = 13,
  GXF_PARAMETER_TYPE_FLOAT32 = 14,
  GXF_PARAMETER_TYPE_COMPLEX64 = 15,
  GXF_PARAMETER_TYPE_COMPLEX128 = 16,
} gxf_parameter_type_t;

typedef struct {
  const char* version;
  uint64_t num_extensions;
  gxf_tid_t* extensions;
} gxf_runtime_info;

typedef struct {
  gxf_tid_t id;
  const char* name;
  const char* description;
  const char* version;
  const char* runtime_version;
  const char* license;
  const char* author;
  const char* display_name;
  const char* category;
  const char* brief;
  uint64_t num_components;
  gxf_tid_t* components;
} gxf_extension_info_t;

typedef struct {
  gxf_tid_t cid;
  const char* base_name;
  int is_abstract;
  const char* type_name;
  const char* display_name;
  const char* brief;
  const char* description;
  uint64_t num_parameters;
  const char** parameters;
} gxf_component_info_t;

typedef struct {
  const char* key;
  const char* headline;
  const char* description;
  gxf_parameter_flags_t flags;
  gxf_parameter_type_t type;
  gxf_tid_t handle_tid;
  const void* default_value;
  const void* numeric_min;
  const void* numeric_max;
  const void* numeric_step;
  const char* platform_information;
  int32_t rank;
  int32_t shape[8];
} gxf_parameter_info_t;

// --- texts -------------------------------------------------------------------------------------

/// The spelling of the code; "N/A" for numbers that are none, and for codes that GXF has no text
/// of.
GXR_GXF_API const char* GxfResultStr(gxf_result_t result);
GXR_GXF_API const char* GxfEntityStatusStr(gxf_entity_status_t status);
GXR_GXF_API const char* GxfEventStr(gxf_event_t event);
GXR_GXF_API const char* GxfParameterTypeStr(gxf_parameter_type_t type);
GXR_GXF_API const char* GxfParameterFlagTypeStr(gxf_parameter_flags_t_ flag);

#ifdef __cplusplus
#define GXR_GXF_INLINE inline
#else
#define GXR_GXF_INLINE static inline
#endif

GXR_GXF_INLINE bool isSuccessful(gxf_result_t result) { return result == GXF_SUCCESS; }

GXR_GXF_INLINE gxf_tid_t GxfTidNull(void) {  // NOLINT(modernize-redundant-void-arg): C reads it
  const gxf_tid_t null = {0, 0};
  return null;
}
GXR_GXF_INLINE uint32_t GxfTidIsNull(gxf_tid_t tid) {
  return tid.hash1 == 0 && tid.hash2 == 0 ? 1 : 0;
}

// --- contexts ----------------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfContextCreate(gxf_context_t* context);
GXR_GXF_API gxf_result_t GxfContextCreateShared(gxf_context_t shared, gxf_context_t* context);
GXR_GXF_API gxf_result_t GxfGetSharedContext(gxf_context_t context, gxf_context_t* shared);
GXR_GXF_API gxf_result_t GxfContextDestroy(gxf_context_t context);

// --- extensions and types ----------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfLoadExtensionFromPointer(gxf_context_t context, void* extension);
GXR_GXF_API gxf_result_t GxfLoadExtensionMetadataFiles(gxf_context_t context,
                                                       const char* const* filenames,
                                                       uint32_t count);
GXR_GXF_API gxf_result_t GxfRegisterComponent(gxf_context_t context, gxf_tid_t tid,
                                              const char* name, const char* base_name);
GXR_GXF_API gxf_result_t GxfRegisterComponentInExtension(gxf_context_t context,
                                                         gxf_tid_t component_tid,
                                                         gxf_tid_t extension_tid);
GXR_GXF_API gxf_result_t GxfComponentTypeId(gxf_context_t context, const char* name,
                                            gxf_tid_t* tid);
GXR_GXF_API gxf_result_t GxfComponentTypeName(gxf_context_t context, gxf_tid_t tid,
                                              const char** name);
GXR_GXF_API gxf_result_t GxfComponentTypeNameFromUID(gxf_context_t context, gxf_uid_t cid,
                                                     const char** name);
GXR_GXF_API gxf_result_t GxfComponentIsBase(gxf_context_t context, gxf_tid_t derived,
                                            gxf_tid_t base, bool* result);

// --- entities ----------------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfEntityFind(gxf_context_t context, const char* name, gxf_uid_t* eid);
GXR_GXF_API gxf_result_t GxfEntityFindAll(gxf_context_t context, uint64_t* count,
                                          gxf_uid_t* entities);
GXR_GXF_API gxf_result_t GxfEntityActivate(gxf_context_t context, gxf_uid_t eid);
GXR_GXF_API gxf_result_t GxfEntityDeactivate(gxf_context_t context, gxf_uid_t eid);
GXR_GXF_API gxf_result_t GxfEntityDestroy(gxf_context_t context, gxf_uid_t eid);
GXR_GXF_API gxf_result_t GxfEntityIsValid(gxf_context_t context, gxf_uid_t eid, bool* valid);
GXR_GXF_API gxf_result_t GxfEntityRefCountInc(gxf_context_t context, gxf_uid_t eid);
GXR_GXF_API gxf_result_t GxfEntityRefCountDec(gxf_context_t context, gxf_uid_t eid);
GXR_GXF_API gxf_result_t GxfEntityGetRefCount(gxf_context_t context, gxf_uid_t eid, int64_t* count);
GXR_GXF_API gxf_result_t GxfEntityGetStatus(gxf_context_t context, gxf_uid_t eid,
                                            gxf_entity_status_t* status);
GXR_GXF_API gxf_result_t GxfEntityGetState(gxf_context_t context, gxf_uid_t eid,
                                           entity_state_t* state);
GXR_GXF_API gxf_result_t GxfEntityGetName(gxf_context_t context, gxf_uid_t eid, const char** name);
GXR_GXF_API gxf_result_t GxfEntityEventNotify(gxf_context_t context, gxf_uid_t eid);
GXR_GXF_API gxf_result_t GxfEntityNotifyEventType(gxf_context_t context, gxf_uid_t eid,
                                                  gxf_event_t event);
GXR_GXF_API gxf_result_t GxfEntityGetItemPtr(gxf_context_t context, gxf_uid_t eid, void** item);

// --- components --------------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfComponentAdd(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid,
                                         const char* name, gxf_uid_t* cid);
GXR_GXF_API gxf_result_t GxfComponentAddAndGetPtr(gxf_context_t context, void* item, gxf_tid_t tid,
                                                  const char* name, gxf_uid_t* cid, void** pointer);
GXR_GXF_API gxf_result_t GxfComponentFind(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid,
                                          const char* name, int32_t* offset, gxf_uid_t* cid);
GXR_GXF_API gxf_result_t GxfComponentFindAndGetPtr(gxf_context_t context, gxf_uid_t eid, void* item,
                                                   gxf_tid_t tid, const char* name, int32_t* offset,
                                                   gxf_uid_t* cid, void** pointer);
GXR_GXF_API gxf_result_t GxfComponentFindAll(gxf_context_t context, gxf_uid_t eid, uint64_t* count,
                                             gxf_uid_t* components);
GXR_GXF_API gxf_result_t GxfComponentRemove(gxf_context_t context, gxf_uid_t eid, gxf_tid_t tid,
                                            const char* name);
GXR_GXF_API gxf_result_t GxfComponentRemoveWithUID(gxf_context_t context, gxf_uid_t cid);
GXR_GXF_API gxf_result_t GxfComponentAddToInterface(gxf_context_t context, gxf_uid_t eid,
                                                    gxf_uid_t cid, const char* name);
GXR_GXF_API gxf_result_t GxfComponentType(gxf_context_t context, gxf_uid_t cid, gxf_tid_t* tid);
GXR_GXF_API gxf_result_t GxfComponentName(gxf_context_t context, gxf_uid_t cid, const char** name);
GXR_GXF_API gxf_result_t GxfComponentEntity(gxf_context_t context, gxf_uid_t cid, gxf_uid_t* eid);
GXR_GXF_API gxf_result_t GxfComponentPointer(gxf_context_t context, gxf_uid_t cid, gxf_tid_t tid,
                                             void** pointer);

// --- parameters, set ---------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfParameterSetInt8(gxf_context_t context, gxf_uid_t uid, const char* key,
                                             int8_t value);
GXR_GXF_API gxf_result_t GxfParameterSetInt16(gxf_context_t context, gxf_uid_t uid, const char* key,
                                              int16_t value);
GXR_GXF_API gxf_result_t GxfParameterSetInt32(gxf_context_t context, gxf_uid_t uid, const char* key,
                                              int32_t value);
GXR_GXF_API gxf_result_t GxfParameterSetInt64(gxf_context_t context, gxf_uid_t uid, const char* key,
                                              int64_t value);
GXR_GXF_API gxf_result_t GxfParameterSetUInt8(gxf_context_t context, gxf_uid_t uid, const char* key,
                                              uint8_t value);
GXR_GXF_API gxf_result_t GxfParameterSetUInt16(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, uint16_t value);
GXR_GXF_API gxf_result_t GxfParameterSetUInt32(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, uint32_t value);
GXR_GXF_API gxf_result_t GxfParameterSetUInt64(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, uint64_t value);
GXR_GXF_API gxf_result_t GxfParameterSetFloat32(gxf_context_t context, gxf_uid_t uid,
                                                const char* key, float value);
GXR_GXF_API gxf_result_t GxfParameterSetFloat64(gxf_context_t context, gxf_uid_t uid,
                                                const char* key, double value);
GXR_GXF_API gxf_result_t GxfParameterSetBool(gxf_context_t context, gxf_uid_t uid, const char* key,
                                             bool value);
GXR_GXF_API gxf_result_t GxfParameterSetStr(gxf_context_t context, gxf_uid_t uid, const char* key,
                                            const char* value);
GXR_GXF_API gxf_result_t GxfParameterSetPath(gxf_context_t context, gxf_uid_t uid, const char* key,
                                             const char* value);
GXR_GXF_API gxf_result_t GxfParameterSetHandle(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, gxf_uid_t cid);
GXR_GXF_API gxf_result_t GxfParameterSet1DFloat64Vector(gxf_context_t context, gxf_uid_t uid,
                                                        const char* key, double* value,
                                                        uint64_t length);
GXR_GXF_API gxf_result_t GxfParameterSet2DFloat64Vector(gxf_context_t context, gxf_uid_t uid,
                                                        const char* key, double** value,
                                                        uint64_t height, uint64_t width);
GXR_GXF_API gxf_result_t GxfParameterSet1DInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int64_t* value,
                                                      uint64_t length);
GXR_GXF_API gxf_result_t GxfParameterSet2DInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int64_t** value,
                                                      uint64_t height, uint64_t width);
GXR_GXF_API gxf_result_t GxfParameterSet1DUInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                       const char* key, uint64_t* value,
                                                       uint64_t length);
GXR_GXF_API gxf_result_t GxfParameterSet2DUInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                       const char* key, uint64_t** value,
                                                       uint64_t height, uint64_t width);
GXR_GXF_API gxf_result_t GxfParameterSet1DInt32Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int32_t* value,
                                                      uint64_t length);
GXR_GXF_API gxf_result_t GxfParameterSet2DInt32Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int32_t** value,
                                                      uint64_t height, uint64_t width);
GXR_GXF_API gxf_result_t GxfParameterSet1DStrVector(gxf_context_t context, gxf_uid_t uid,
                                                    const char* key, const char* value[],
                                                    uint64_t length);
GXR_GXF_API gxf_result_t GxfParameterSetFromYamlNode(gxf_context_t context, gxf_uid_t uid,
                                                     const char* key, void* yaml_node,
                                                     const char* prefix);

// --- parameters, get ---------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfParameterGetInt32(gxf_context_t context, gxf_uid_t uid, const char* key,
                                              int32_t* value);
GXR_GXF_API gxf_result_t GxfParameterGetInt64(gxf_context_t context, gxf_uid_t uid, const char* key,
                                              int64_t* value);
GXR_GXF_API gxf_result_t GxfParameterGetUInt16(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, uint16_t* value);
GXR_GXF_API gxf_result_t GxfParameterGetUInt32(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, uint32_t* value);
GXR_GXF_API gxf_result_t GxfParameterGetUInt64(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, uint64_t* value);
GXR_GXF_API gxf_result_t GxfParameterGetFloat32(gxf_context_t context, gxf_uid_t uid,
                                                const char* key, float* value);
GXR_GXF_API gxf_result_t GxfParameterGetFloat64(gxf_context_t context, gxf_uid_t uid,
                                                const char* key, double* value);
GXR_GXF_API gxf_result_t GxfParameterGetBool(gxf_context_t context, gxf_uid_t uid, const char* key,
                                             bool* value);
GXR_GXF_API gxf_result_t GxfParameterGetStr(gxf_context_t context, gxf_uid_t uid, const char* key,
                                            const char** value);
GXR_GXF_API gxf_result_t GxfParameterGetPath(gxf_context_t context, gxf_uid_t uid, const char* key,
                                             const char** value);
GXR_GXF_API gxf_result_t GxfParameterGetHandle(gxf_context_t context, gxf_uid_t uid,
                                               const char* key, gxf_uid_t* cid);
GXR_GXF_API gxf_result_t GxfParameterGet1DFloat64VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                            const char* key, uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet1DFloat64Vector(gxf_context_t context, gxf_uid_t uid,
                                                        const char* key, double* value,
                                                        uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet2DFloat64VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                            const char* key, uint64_t* height,
                                                            uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet2DFloat64Vector(gxf_context_t context, gxf_uid_t uid,
                                                        const char* key, double** value,
                                                        uint64_t* height, uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet1DInt64VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                          const char* key, uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet1DInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int64_t* value,
                                                      uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet2DInt64VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                          const char* key, uint64_t* height,
                                                          uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet2DInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int64_t** value,
                                                      uint64_t* height, uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet1DUInt64VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                           const char* key, uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet1DUInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                       const char* key, uint64_t* value,
                                                       uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet2DUInt64VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                           const char* key, uint64_t* height,
                                                           uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet2DUInt64Vector(gxf_context_t context, gxf_uid_t uid,
                                                       const char* key, uint64_t** value,
                                                       uint64_t* height, uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet1DInt32VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                          const char* key, uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet1DInt32Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int32_t* value,
                                                      uint64_t* length);
GXR_GXF_API gxf_result_t GxfParameterGet2DInt32VectorInfo(gxf_context_t context, gxf_uid_t uid,
                                                          const char* key, uint64_t* height,
                                                          uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet2DInt32Vector(gxf_context_t context, gxf_uid_t uid,
                                                      const char* key, int32_t** value,
                                                      uint64_t* height, uint64_t* width);
GXR_GXF_API gxf_result_t GxfParameterGet1DStrVector(gxf_context_t context, gxf_uid_t uid,
                                                    const char* key, char* value[], uint64_t* count,
                                                    uint64_t* min_length);
GXR_GXF_API gxf_result_t GxfParameterGetAsYamlNode(gxf_context_t context, gxf_uid_t uid,
                                                   const char* key, void* yaml_node);

// --- graphs ------------------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfGraphLoadFile(gxf_context_t context, const char* filename,
                                          const char* overrides[] GXR_GXF_DEFAULT(nullptr),
                                          uint32_t override_count GXR_GXF_DEFAULT(0));
GXR_GXF_API gxf_result_t GxfGraphLoadFileExtended(gxf_context_t context, const char* filename,
                                                  const char* prefix,
                                                  const char* overrides[] GXR_GXF_DEFAULT(nullptr),
                                                  uint32_t override_count GXR_GXF_DEFAULT(0),
                                                  gxf_uid_t parent GXR_GXF_DEFAULT(0),
                                                  void* prerequisites GXR_GXF_DEFAULT(nullptr));
GXR_GXF_API gxf_result_t GxfGraphParseString(gxf_context_t context, const char* text,
                                             const char* overrides[] GXR_GXF_DEFAULT(nullptr),
                                             uint32_t override_count GXR_GXF_DEFAULT(0));
GXR_GXF_API gxf_result_t GxfGraphSetRootPath(gxf_context_t context, const char* path);
GXR_GXF_API gxf_result_t GxfGraphSaveToFile(gxf_context_t context, const char* filename);
GXR_GXF_API gxf_result_t GxfGraphActivate(gxf_context_t context);
GXR_GXF_API gxf_result_t GxfGraphDeactivate(gxf_context_t context);
GXR_GXF_API gxf_result_t GxfGraphRunAsync(gxf_context_t context);
GXR_GXF_API gxf_result_t GxfGraphInterrupt(gxf_context_t context);
GXR_GXF_API gxf_result_t GxfGraphWait(gxf_context_t context);
GXR_GXF_API gxf_result_t GxfGraphRun(gxf_context_t context);

// --- information -------------------------------------------------------------------------------

GXR_GXF_API gxf_result_t GxfRuntimeInfo(gxf_context_t context, gxf_runtime_info* info);
GXR_GXF_API gxf_result_t GxfExtensionInfo(gxf_context_t context, gxf_tid_t tid,
                                          gxf_extension_info_t* info);
GXR_GXF_API gxf_result_t GxfComponentInfo(gxf_context_t context, gxf_tid_t tid,
                                          gxf_component_info_t* info);
GXR_GXF_API gxf_result_t GxfParameterInfo(gxf_context_t context, gxf_tid_t tid, const char* key,
                                          gxf_parameter_info_t* info);
GXR_GXF_API gxf_result_t GxfGetParameterInfo(gxf_context_t context, gxf_tid_t tid, const char* key,
                                             gxf_parameter_info_t* info);

#ifdef __cplusplus
}  // extern "C"

/// The name of an error in the log: see common/expected.hpp.
inline const char* gxf_error_name(gxf_result_t result) { return GxfResultStr(result); }

inline bool operator==(const gxf_tid_t& a, const gxf_tid_t& b) {
  return a.hash1 == b.hash1 && a.hash2 == b.hash2;
}
inline bool operator!=(const gxf_tid_t& a, const gxf_tid_t& b) { return !(a == b); }
inline bool operator<(const gxf_tid_t& a, const gxf_tid_t& b) {
  return a.hash1 != b.hash1 ? a.hash1 < b.hash1 : a.hash2 < b.hash2;
}
#endif  // __cplusplus

#include "gxf/core/gxf_ext.h"
