#include "c_api.hpp"
#include "gxf/core/gxf.h"

// Functions of the C interface that gxr has nothing for: a code, and a line in the log.

namespace {

using nvidia::gxf::layer::not_implemented;

constexpr const char* kOwnEntities =
    "entities of an application are those of its files, and messages are made by Entity::New()";
constexpr const char* kWholeGraph =
    "all entities are activated together, by GxfGraphActivate(), and live until "
    "GxfGraphDeactivate()";
constexpr const char* kMessagesGrow = "components of files stay, and parts of messages, too";
constexpr const char* kGroups = "groups are those of the application's files";
constexpr const char* kTypes = "types come from extension files";
constexpr const char* kYaml = "nodes of yaml-cpp do not cross the border of the library";
constexpr const char* kShared = "contexts share nothing";
constexpr const char* kItems = "entities have no address";

}  // namespace

gxf_result_t GxfContextCreateShared(gxf_context_t, gxf_context_t*) {
  return not_implemented(kShared);
}
gxf_result_t GxfGetSharedContext(gxf_context_t, gxf_context_t*) { return not_implemented(kShared); }

gxf_result_t GxfLoadExtensionFromPointer(gxf_context_t, void*) { return not_implemented(kTypes); }
gxf_result_t GxfLoadExtensionMetadataFiles(gxf_context_t, const char* const*, uint32_t) {
  return not_implemented(kTypes);
}
gxf_result_t GxfRegisterComponent(gxf_context_t, gxf_tid_t, const char*, const char*) {
  return not_implemented(kTypes);
}
gxf_result_t GxfRegisterComponentInExtension(gxf_context_t, gxf_tid_t, gxf_tid_t) {
  return not_implemented(kTypes);
}

gxf_result_t GxfCreateEntity(gxf_context_t, const GxfEntityCreateInfo*, gxf_uid_t*) {
  return not_implemented(kOwnEntities);
}
gxf_result_t GxfCreateEntityAndGetItem(gxf_context_t, const GxfEntityCreateInfo*, gxf_uid_t*,
                                       void**) {
  return not_implemented(kOwnEntities);
}
gxf_result_t GxfEntityActivate(gxf_context_t, gxf_uid_t) { return not_implemented(kWholeGraph); }
gxf_result_t GxfEntityDeactivate(gxf_context_t, gxf_uid_t) { return not_implemented(kWholeGraph); }
gxf_result_t GxfEntityDestroy(gxf_context_t, gxf_uid_t) { return not_implemented(kWholeGraph); }
gxf_result_t GxfEntityGetStatus(gxf_context_t, gxf_uid_t, gxf_entity_status_t*) {
  return not_implemented("gxr keeps no such status");
}
gxf_result_t GxfEntityGetItemPtr(gxf_context_t, gxf_uid_t, void**) {
  return not_implemented(kItems);
}

gxf_result_t GxfCreateEntityGroup(gxf_context_t, const char*, gxf_uid_t*) {
  return not_implemented(kGroups);
}
gxf_result_t GxfUpdateEntityGroup(gxf_context_t, gxf_uid_t, gxf_uid_t) {
  return not_implemented(kGroups);
}
gxf_result_t GxfEntityGroupId(gxf_context_t, gxf_uid_t, gxf_uid_t*) {
  return not_implemented(kGroups);
}
gxf_result_t GxfEntityGroupName(gxf_context_t, gxf_uid_t, const char**) {
  return not_implemented(kGroups);
}
gxf_result_t GxfEntityGroupFindResources(gxf_context_t, gxf_uid_t, uint64_t*, gxf_uid_t*) {
  return not_implemented(kGroups);
}
gxf_result_t GxfEntityResourceGetHandle(gxf_context_t, gxf_uid_t, const char*, const char*,
                                        gxf_uid_t*) {
  return not_implemented(kGroups);
}

gxf_result_t GxfComponentAddAndGetPtr(gxf_context_t, void*, gxf_tid_t, const char*, gxf_uid_t*,
                                      void**) {
  return not_implemented(kItems);
}
gxf_result_t GxfComponentRemove(gxf_context_t, gxf_uid_t, gxf_tid_t, const char*) {
  return not_implemented(kMessagesGrow);
}
gxf_result_t GxfComponentRemoveWithUID(gxf_context_t, gxf_uid_t) {
  return not_implemented(kMessagesGrow);
}
gxf_result_t GxfComponentAddToInterface(gxf_context_t, gxf_uid_t, gxf_uid_t, const char*) {
  return not_implemented("interfaces are those of the application's files");
}

gxf_result_t GxfParameterSetFromYamlNode(gxf_context_t, gxf_uid_t, const char*, void*,
                                         const char*) {
  return not_implemented(kYaml);
}
gxf_result_t GxfParameterGetAsYamlNode(gxf_context_t, gxf_uid_t, const char*, void*) {
  return not_implemented(kYaml);
}

gxf_result_t GxfGraphSaveToFile(gxf_context_t, const char*) {
  return not_implemented("gxr expand writes an application as one file");
}
