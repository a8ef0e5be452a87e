/* Embeds applications through GXF's C interface: a program of C alone.

   embed EXTENSION FOLDER SCENARIO; the folder has the application files. The exit status is 1 when
   a call returns something else than it should. */

#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gxf/core/gxf.h"

static const char* extension;
static const char* folder;

/* Ends the program when a call returns another code. */
#define EXPECT(code, call) expect(code, call, #call, __LINE__)
#define CHECK(condition) check(condition, #condition, __LINE__)
#define OK(call) EXPECT(GXF_SUCCESS, call)

static void expect(gxf_result_t expected, gxf_result_t code, const char* call, int line) {
  if (code != expected) {
    fprintf(stderr, "embed.c:%d: %s returned %s (%d) instead of %s\n", line, call,
            GxfResultStr(code), code, GxfResultStr(expected));
    exit(1);
  }
}

static void check(int holds, const char* condition, int line) {
  if (!holds) {
    fprintf(stderr, "embed.c:%d: %s is not so\n", line, condition);
    exit(1);
  }
}

static void wait_ms(long ms) {
  const struct timespec time = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&time, NULL);
}

static const char* path_of(const char* name) {
  static _Thread_local char path[4096];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return path;
}

static gxf_context_t create(void) {
  gxf_context_t context = kNullContext;
  OK(GxfContextCreate(&context));
  CHECK(context != NULL);
  OK(GxfLoadExtension(context, extension));
  return context;
}

static gxf_uid_t component(gxf_context_t context, const char* entity, const char* name) {
  gxf_uid_t eid = kNullUid;
  gxf_uid_t cid = kNullUid;
  OK(GxfEntityFind(context, entity, &eid));
  OK(GxfComponentFind(context, eid, GxfTidNull(), name, NULL, &cid));
  return cid;
}

/* The usual life, with an interrupt. */
static void life(void) {
  gxf_context_t context = kNullContext;
  gxf_severity_t severity = GXF_SEVERITY_NONE;
  OK(GxfContextCreate(&context));
  OK(GxfSetSeverity(context, GXF_SEVERITY_WARNING));
  OK(GxfGetSeverity(context, &severity));
  CHECK(severity == GXF_SEVERITY_WARNING);
  const char* const files[] = {extension};
  const GxfLoadExtensionsInfo info = {files, 1, NULL, 0, NULL};
  OK(GxfLoadExtensions(context, &info));
  OK(GxfGraphSetRootPath(context, folder));
  const char* overrides[] = {"counting/counter/step=3"};
  OK(GxfGraphLoadFile(context, "endless.yaml", overrides, 1));
  const gxf_uid_t counter = component(context, "counting", "counter");
  int64_t step = 0;
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 3);
  OK(GxfParameterSetInt64(context, counter, "step", 2));
  OK(GxfGraphActivate(context));
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 2);
  OK(GxfGraphRunAsync(context));
  wait_ms(20);
  OK(GxfParameterSetInt64(context, counter, "step", 5));
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 5);
  OK(GxfGraphInterrupt(context));
  OK(GxfGraphWait(context));
  OK(GxfGraphDeactivate(context));
  OK(GxfContextDestroy(context));
}

/* What ends by itself; a graph runs again, in one activation and in another one. */
static void again(void) {
  const gxf_context_t context = create();
  OK(GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  const gxf_uid_t count = component(context, "counting", "count");
  OK(GxfParameterSetInt64(context, count, "count", 3));
  OK(GxfGraphActivate(context));
  OK(GxfGraphRun(context));
  OK(GxfParameterSetInt64(context, component(context, "counting", "counter"), "step", 10));
  OK(GxfGraphRun(context));
  OK(GxfGraphDeactivate(context));
  OK(GxfParameterSetStr(context, component(context, "counting", "counter"), "label", "later"));
  OK(GxfGraphActivate(context));
  OK(GxfGraphRunAsync(context));
  OK(GxfGraphWait(context));
  OK(GxfGraphWait(context));
  OK(GxfGraphDeactivate(context));
  OK(GxfGraphActivate(context)); /* and is left without a run */
  OK(GxfContextDestroy(context));
}

/* Calls at the wrong time, and with nothing. */
static void order(void) {
  const gxf_context_t context = create();
  const gxf_result_t wrong = GXF_INVALID_EXECUTION_SEQUENCE;
  OK(GxfGraphWait(context));
  EXPECT(wrong, GxfGraphRunAsync(context));
  EXPECT(wrong, GxfGraphRun(context));
  EXPECT(wrong, GxfGraphInterrupt(context));
  EXPECT(wrong, GxfGraphDeactivate(context));
  OK(GxfGraphLoadFile(context, path_of("endless.yaml"), NULL, 0));
  OK(GxfGraphActivate(context));
  EXPECT(wrong, GxfGraphActivate(context));
  EXPECT(wrong, GxfGraphInterrupt(context));
  EXPECT(wrong, GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  OK(GxfGraphWait(context));
  OK(GxfGraphRunAsync(context));
  EXPECT(wrong, GxfGraphRunAsync(context));
  EXPECT(wrong, GxfGraphActivate(context));
  EXPECT(wrong, GxfGraphDeactivate(context));
  OK(GxfGraphInterrupt(context));
  EXPECT(wrong, GxfGraphInterrupt(context));
  OK(GxfGraphWait(context));
  OK(GxfGraphDeactivate(context));
  EXPECT(wrong, GxfGraphDeactivate(context));
  OK(GxfGraphActivate(context));
  OK(GxfGraphRunAsync(context));
  OK(GxfContextDestroy(context)); /* interrupts and waits */
  EXPECT(GXF_CONTEXT_INVALID, GxfContextDestroy(context));
  EXPECT(GXF_CONTEXT_INVALID, GxfGraphActivate(context));
  EXPECT(GXF_CONTEXT_INVALID, GxfGraphActivate(NULL));
  EXPECT(GXF_ARGUMENT_NULL, GxfContextCreate(NULL));
}

/* Null pointers, and numbers of nothing. */
static void nothing(void) {
  const gxf_context_t context = create();
  OK(GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  const gxf_uid_t counter = component(context, "counting", "counter");
  const gxf_result_t null = GXF_ARGUMENT_NULL;
  const gxf_tid_t no_tid = {1, 2};
  gxf_uid_t id = kNullUid;
  gxf_tid_t tid = no_tid;
  bool valid = true;
  int64_t number = 0;
  const char* text = NULL;
  void* pointer = NULL;
  EXPECT(null, GxfLoadExtensions(context, NULL));
  EXPECT(null, GxfGraphLoadFile(context, NULL, NULL, 0));
  EXPECT(null, GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 1));
  EXPECT(null, GxfGraphParseString(context, NULL, NULL, 0));
  EXPECT(null, GxfGraphSetRootPath(context, NULL));
  EXPECT(null, GxfEntityFind(context, NULL, &id));
  EXPECT(null, GxfEntityFind(context, "counting", NULL));
  EXPECT(GXF_ENTITY_NOT_FOUND, GxfEntityFind(context, "nobody", &id));
  EXPECT(null, GxfEntityFindAll(context, NULL, NULL));
  EXPECT(GXF_ENTITY_NOT_FOUND, GxfEntityGetName(context, 9999, &text));
  OK(GxfEntityIsValid(context, 9999, &valid));
  CHECK(!valid);
  EXPECT(GXF_ENTITY_NOT_FOUND, GxfComponentFind(context, 9999, GxfTidNull(), NULL, NULL, &id));
  OK(GxfEntityFind(context, "counting", &id));
  EXPECT(GXF_FACTORY_UNKNOWN_TID, GxfComponentFind(context, id, no_tid, NULL, NULL, &id));
  EXPECT(GXF_ENTITY_COMPONENT_NOT_FOUND,
         GxfComponentFind(context, id, GxfTidNull(), "nobody", NULL, &id));
  EXPECT(null, GxfComponentFind(context, id, GxfTidNull(), NULL, NULL, NULL));
  EXPECT(null, GxfComponentType(context, counter, NULL));
  EXPECT(GXF_ENTITY_COMPONENT_NOT_FOUND, GxfComponentType(context, 9998, &tid));
  EXPECT(GXF_ENTITY_COMPONENT_NOT_FOUND, GxfComponentName(context, 9998, &text));
  EXPECT(GXF_ENTITY_COMPONENT_NOT_FOUND, GxfComponentEntity(context, 9998, &id));
  EXPECT(GXF_ENTITY_COMPONENT_NOT_FOUND,
         GxfComponentPointer(context, 9998, GxfTidNull(), &pointer));
  EXPECT(GXF_INVALID_LIFECYCLE_STAGE,
         GxfComponentPointer(context, counter, GxfTidNull(), &pointer));
  EXPECT(GXF_FACTORY_UNKNOWN_CLASS_NAME, GxfComponentTypeId(context, "no::Such", &tid));
  EXPECT(GXF_FACTORY_UNKNOWN_TID, GxfComponentTypeName(context, no_tid, &text));
  EXPECT(null, GxfParameterGetInt64(context, counter, NULL, &number));
  EXPECT(null, GxfParameterGetInt64(context, counter, "step", NULL));
  EXPECT(null, GxfParameterSetStr(context, counter, "label", NULL));
  EXPECT(GXF_PARAMETER_NOT_FOUND, GxfParameterGetInt64(context, counter, "stpe", &number));
  EXPECT(GXF_PARAMETER_INVALID_TYPE, GxfParameterGetInt64(context, counter, "label", &number));
  EXPECT(GXF_PARAMETER_NOT_FOUND, GxfParameterSetInt64(context, counter, "stpe", 1));
  EXPECT(GXF_PARAMETER_INVALID_TYPE, GxfParameterSetInt32(context, counter, "step", 1));
  EXPECT(GXF_ENTITY_COMPONENT_NOT_FOUND, GxfParameterSetInt64(context, 9998, "step", 1));
  EXPECT(null, GxfRuntimeInfo(context, NULL));
  EXPECT(null, GxfComponentInfo(context, no_tid, NULL));
  EXPECT(GXF_ARGUMENT_OUT_OF_RANGE, GxfSetSeverity(context, (gxf_severity_t)7));
  EXPECT(GXF_NOT_IMPLEMENTED, GxfGraphSaveToFile(context, "file.yaml"));
  EXPECT(GXF_NOT_IMPLEMENTED, GxfEntityCreate(context, &id));
  OK(GxfContextDestroy(context));
  EXPECT(GXF_CONTEXT_INVALID, GxfParameterGetInt64(context, counter, "step", &number));
  EXPECT(GXF_CONTEXT_INVALID, GxfEntityFind(NULL, "counting", &id));
}

static void check_scalars(gxf_context_t context, gxf_uid_t counter) {
  uint32_t limit = 0;
  uint16_t at = 0;
  bool silent = false;
  float gain = 0;
  double ratio = 0;
  int32_t unset = 0;
  const char* text = NULL;
  OK(GxfParameterGetUInt32(context, counter, "limit", &limit));
  CHECK(limit == 0);
  OK(GxfParameterSetUInt32(context, counter, "limit", 99));
  OK(GxfParameterGetUInt32(context, counter, "limit", &limit));
  CHECK(limit == 99);
  OK(GxfParameterSetUInt16(context, counter, "interrupts_at", 4));
  OK(GxfParameterGetUInt16(context, counter, "interrupts_at", &at));
  CHECK(at == 4);
  OK(GxfParameterSetBool(context, counter, "silent", true));
  OK(GxfParameterGetBool(context, counter, "silent", &silent));
  CHECK(silent);
  OK(GxfParameterGetFloat32(context, counter, "gain", &gain));
  CHECK(gain == 0.5f);
  OK(GxfParameterSetFloat32(context, counter, "gain", 0.1f));
  OK(GxfParameterGetFloat32(context, counter, "gain", &gain));
  CHECK(gain == 0.1f);
  OK(GxfParameterSetFloat64(context, counter, "ratio", -1e300));
  OK(GxfParameterGetFloat64(context, counter, "ratio", &ratio));
  CHECK(ratio == -1e300);
  EXPECT(GXF_PARAMETER_NOT_INITIALIZED, GxfParameterGetInt32(context, counter, "unset", &unset));
  OK(GxfParameterGetStr(context, counter, "label", &text));
  CHECK(strcmp(text, "counter") == 0);
  OK(GxfParameterSetStr(context, counter, "label", "quotes: \" and ' = #\n"));
  OK(GxfParameterGetStr(context, counter, "label", &text));
  CHECK(strcmp(text, "quotes: \" and ' = #\n") == 0);
  OK(GxfParameterGetStr(context, counter, kInternalNameParameterKey, &text));
  CHECK(strcmp(text, "counter") == 0);
  OK(GxfParameterGetPath(context, counter, "file", &text));
  CHECK(strcmp(text, "none") == 0);
  OK(GxfParameterSetPath(context, counter, "file", "/some/where"));
  OK(GxfParameterGetPath(context, counter, "file", &text));
  CHECK(strcmp(text, "/some/where") == 0);
  OK(GxfParameterGetStr(context, counter, "file", &text));
  CHECK(strcmp(text, "/some/where") == 0);
  OK(GxfParameterSetStr(context, counter, "file", "/elsewhere"));
  OK(GxfParameterGetPath(context, counter, "file", &text));
  CHECK(strcmp(text, "/elsewhere") == 0);
}

static void check_lists(gxf_context_t context, gxf_uid_t counter) {
  int64_t numbers[4] = {0};
  uint64_t length = 2;
  EXPECT(GXF_QUERY_NOT_ENOUGH_CAPACITY,
         GxfParameterGet1DInt64Vector(context, counter, "numbers", numbers, &length));
  CHECK(length == 3);
  OK(GxfParameterGet1DInt64Vector(context, counter, "numbers", numbers, &length));
  CHECK(numbers[0] == 1 && numbers[2] == 3);
  int64_t others[] = {-4, 5};
  OK(GxfParameterSet1DInt64Vector(context, counter, "numbers", others, 2));
  OK(GxfParameterGet1DInt64VectorInfo(context, counter, "numbers", &length));
  CHECK(length == 2);
  OK(GxfParameterGet1DInt64Vector(context, counter, "numbers", numbers, &length));
  CHECK(numbers[0] == -4);
  uint64_t height = 0;
  uint64_t width = 0;
  EXPECT(GXF_PARAMETER_NOT_INITIALIZED,
         GxfParameterGet2DFloat64VectorInfo(context, counter, "grid", &height, &width));
  double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  double* grid[] = {rows[0], rows[1]};
  OK(GxfParameterSet2DFloat64Vector(context, counter, "grid", grid, 2, 3));
  OK(GxfParameterGet2DFloat64VectorInfo(context, counter, "grid", &height, &width));
  CHECK(height == 2 && width == 3);
  rows[1][2] = 0;
  OK(GxfParameterGet2DFloat64Vector(context, counter, "grid", grid, &height, &width));
  CHECK(rows[1][2] == 6);
  char texts[2][8];
  char* names[] = {texts[0], texts[1]};
  uint64_t count = 2;
  uint64_t size = 2;
  EXPECT(GXF_QUERY_NOT_ENOUGH_CAPACITY,
         GxfParameterGet1DStrVector(context, counter, "names", names, &count, &size));
  CHECK(count == 2 && size == 6);
  OK(GxfParameterGet1DStrVector(context, counter, "names", names, &count, &size));
  CHECK(strcmp(texts[1], "three") == 0);
  const char* given[] = {"a, b"};
  OK(GxfParameterSet1DStrVector(context, counter, "names", given, 1));
  size = sizeof(texts[0]);
  OK(GxfParameterGet1DStrVector(context, counter, "names", names, &count, &size));
  CHECK(count == 1 && strcmp(texts[0], "a, b") == 0);
}

/* Parameters of all kinds, before the activation and while the graph is active. */
static void parameters(void) {
  const gxf_context_t context = create();
  OK(GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  const gxf_uid_t counter = component(context, "counting", "counter");
  const gxf_uid_t count = component(context, "counting", "count");
  check_scalars(context, counter);
  check_lists(context, counter);
  gxf_uid_t handle = kNullUid;
  OK(GxfParameterGetHandle(context, counter, "term", &handle));
  CHECK(handle == count);
  OK(GxfParameterSetHandle(context, counter, "term", count));
  OK(GxfParameterSetInt32(context, counter, "unset", 1));
  OK(GxfParameterGetHandle(context, counter, "term", &handle));
  CHECK(handle == count);
  OK(GxfGraphActivate(context));
  int32_t unset = 0;
  OK(GxfParameterGetInt32(context, counter, "unset", &unset));
  CHECK(unset == 7); /* of initialize() */
  const char* text = NULL;
  OK(GxfParameterGetStr(context, counter, "file", &text));
  CHECK(strcmp(text, "/elsewhere") == 0);
  float gain = 0;
  OK(GxfParameterGetFloat32(context, counter, "gain", &gain));
  CHECK(gain == 0.1f);
  EXPECT(GXF_PARAMETER_CAN_NOT_MODIFY_CONSTANT,
         GxfParameterSetUInt32(context, counter, "limit", 1));
  void* pointer = NULL;
  OK(GxfComponentPointer(context, counter, GxfTidNull(), &pointer));
  CHECK(pointer != NULL);
  OK(GxfComponentPointer(context, count, GxfTidNull(), &pointer));
  CHECK(pointer != NULL);
  OK(GxfGraphRun(context)); /* the fourth tick interrupts */
  OK(GxfParameterGetInt32(context, counter, "unset", &unset));
  CHECK(unset == 8); /* of tick() */
  OK(GxfGraphDeactivate(context));
  OK(GxfParameterSetUInt32(context, counter, "limit", 1));
  OK(GxfGraphActivate(context));
  EXPECT(GXF_EXCEEDING_PREALLOCATED_SIZE, GxfGraphRun(context));
  EXPECT(GXF_INVALID_EXECUTION_SEQUENCE, GxfGraphDeactivate(context));
  OK(GxfContextDestroy(context));
}

/* Entities, components and their types. */
static void queries(void) {
  const gxf_context_t context = create();
  OK(GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  for (int active = 0; active < 2; ++active) {
    gxf_uid_t all[8];
    uint64_t count = 1;
    EXPECT(GXF_QUERY_NOT_ENOUGH_CAPACITY, GxfEntityFindAll(context, &count, all));
    CHECK(count == 2);
    OK(GxfEntityFindAll(context, &count, all));
    gxf_uid_t entity = kNullUid;
    OK(GxfEntityFind(context, "counting", &entity));
    CHECK(all[0] == entity);
    const char* text = NULL;
    OK(GxfEntityGetName(context, all[1], &text));
    CHECK(strncmp(text, "__entity_", 9) == 0);
    count = 8;
    OK(GxfComponentFindAll(context, entity, &count, all));
    CHECK(count == 2 && all[1] == component(context, "counting", "counter"));
    OK(GxfComponentName(context, all[1], &text));
    CHECK(strcmp(text, "counter") == 0);
    gxf_uid_t owner = kNullUid;
    OK(GxfComponentEntity(context, all[1], &owner));
    CHECK(owner == entity);
    gxf_tid_t tid = GxfTidNull();
    gxf_tid_t type = GxfTidNull();
    OK(GxfComponentTypeId(context, "acme::embed::Counter", &tid));
    CHECK(tid.hash1 == 0x1b64c7f29a8e4d03 && tid.hash2 == 0x8f7d2c5e90a1b346);
    OK(GxfComponentType(context, all[1], &type));
    CHECK(memcmp(&tid, &type, sizeof(tid)) == 0);
    OK(GxfComponentTypeName(context, tid, &text));
    CHECK(strcmp(text, "acme::embed::Counter") == 0);
    OK(GxfComponentTypeNameFromUID(context, all[0], &text));
    CHECK(strcmp(text, "nvidia::gxf::CountSchedulingTerm") == 0);
    gxf_tid_t base = GxfTidNull();
    bool is_base = false;
    OK(GxfComponentTypeId(context, "nvidia::gxf::Codelet", &base));
    OK(GxfComponentIsBase(context, tid, base, &is_base));
    CHECK(is_base);
    OK(GxfComponentIsBase(context, base, tid, &is_base));
    CHECK(!is_base);
    gxf_uid_t found = kNullUid;
    int32_t offset = 0;
    OK(GxfComponentFind(context, entity, base, NULL, &offset, &found));
    CHECK(found == all[1] && offset == 1);
    ++offset;
    EXPECT(GXF_ENTITY_COMPONENT_NOT_FOUND,
           GxfComponentFind(context, entity, base, NULL, &offset, &found));
    OK(GxfComponentTypeId(context, "nvidia::gxf::Component", &base));
    OK(GxfComponentFind(context, entity, base, "count", NULL, &found));
    CHECK(found == all[0]);
    if (active == 0) {
      OK(GxfGraphActivate(context));
    }
  }
  OK(GxfContextDestroy(context));
}

/* What is known of extensions and types. */
static void information(void) {
  const gxf_context_t context = create();
  gxf_tid_t ids[256];
  gxf_runtime_info runtime = {NULL, 256, ids};
  OK(GxfRuntimeInfo(context, &runtime));
  CHECK(strcmp(runtime.version, kGxfCoreVersion) == 0 && runtime.num_extensions > 1);
  int is_found = 0;
  for (uint64_t i = 0; i < runtime.num_extensions; ++i) {
    gxf_tid_t components[512];
    gxf_extension_info_t about = {0};
    about.num_components = 512;
    about.components = components;
    OK(GxfExtensionInfo(context, ids[i], &about));
    if (strcmp(about.name, "gxf_embed_ext") == 0) {
      is_found = 1;
      CHECK(about.num_components == 1);
    }
  }
  CHECK(is_found);
  const gxf_tid_t none = {1, 2};
  gxf_extension_info_t unknown = {0};
  EXPECT(GXF_EXTENSION_NOT_FOUND, GxfExtensionInfo(context, none, &unknown));
  gxf_tid_t tid = GxfTidNull();
  OK(GxfComponentTypeId(context, "acme::embed::Counter", &tid));
  const char* keys[32];
  gxf_component_info_t about = {0};
  about.num_parameters = 2;
  about.parameters = keys;
  EXPECT(GXF_QUERY_NOT_ENOUGH_CAPACITY, GxfComponentInfo(context, tid, &about));
  CHECK(about.num_parameters == 14);
  OK(GxfComponentInfo(context, tid, &about));
  printf("%s is a %s: %s\n", about.type_name, about.base_name, about.brief);
  for (uint64_t i = 0; i < about.num_parameters; ++i) {
    gxf_parameter_info_t parameter;
    OK(GxfGetParameterInfo(context, tid, keys[i], &parameter));
    printf("%s: %s, rank %d, flags %u", parameter.key, GxfParameterTypeStr(parameter.type),
           parameter.rank, parameter.flags);
    if (parameter.type == GXF_PARAMETER_TYPE_INT64 && parameter.default_value != NULL) {
      printf(", default %lld", (long long)*(const int64_t*)parameter.default_value);
    }
    if (parameter.type == GXF_PARAMETER_TYPE_INT64 && parameter.numeric_step != NULL) {
      printf(", step %lld", (long long)*(const int64_t*)parameter.numeric_step);
    }
    if (parameter.type == GXF_PARAMETER_TYPE_UINT32 && parameter.numeric_step != NULL) {
      printf(", step %u", *(const uint32_t*)parameter.numeric_step);
    }
    if (parameter.type == GXF_PARAMETER_TYPE_HANDLE) {
      const char* name = NULL;
      OK(GxfComponentTypeName(context, parameter.handle_tid, &name));
      printf(", of %s", name);
    }
    printf("\n");
  }
  gxf_parameter_info_t parameter;
  EXPECT(GXF_PARAMETER_NOT_FOUND, GxfParameterInfo(context, tid, "stpe", &parameter));
  OK(GxfContextDestroy(context));
}

/* Files that cannot be read, and applications with mistakes. */
static void mistakes(void) {
  const gxf_context_t context = create();
  EXPECT(GXF_FACTORY_DUPLICATE_TID, GxfLoadExtension(context, extension));
  EXPECT(GXF_EXTENSION_FILE_NOT_FOUND, GxfLoadExtension(context, "no_such_extension.so"));
  EXPECT(GXF_FAILURE, GxfLoadExtensionManifest(context, path_of("embed.yaml")));
  EXPECT(GXF_FAILURE, GxfGraphLoadFile(context, "no_such_file.yaml", NULL, 0));
  EXPECT(GXF_FAILURE, GxfGraphParseString(context, "name: [", NULL, 0));
  EXPECT(GXF_FACTORY_UNKNOWN_CLASS_NAME,
         GxfGraphParseString(context, "name: a\ncomponents:\n- type: no::Such\n", NULL, 0));
  EXPECT(GXF_PARAMETER_PARSER_ERROR,
         GxfGraphParseString(context,
                             "name: a\ncomponents:\n- type: acme::embed::Counter\n"
                             "  parameters: {label: a, step: many}\n",
                             NULL, 0));
  EXPECT(GXF_ENTITY_NOT_FOUND,
         GxfGraphParseString(context,
                             "components:\n- type: nvidia::gxf::GreedyScheduler\n"
                             "  parameters: {clock: scheduler/clock}\n",
                             NULL, 0));
  OK(GxfGraphParseString(context,
                         "name: counting\n"
                         "components:\n"
                         "- name: counter\n"
                         "  type: acme::embed::Counter\n"
                         "---\n"
                         "components:\n"
                         "- {name: clock, type: nvidia::gxf::ManualClock}\n"
                         "- {type: nvidia::gxf::GreedyScheduler, parameters: {clock: clock}}\n",
                         NULL, 0));
  EXPECT(GXF_PARAMETER_MANDATORY_NOT_SET, GxfGraphActivate(context));
  const gxf_uid_t counter = component(context, "counting", "counter");
  OK(GxfParameterSetStr(context, counter, "label", "fails"));
  EXPECT(GXF_MEMORY_INVALID_STORAGE_MODE, GxfGraphActivate(context));
  OK(GxfParameterSetStr(context, counter, "label", "fails late"));
  OK(GxfGraphActivate(context));
  EXPECT(GXF_CONNECTION_BROKEN, GxfGraphDeactivate(context));
  OK(GxfContextDestroy(context));
}

/* An extension that a manifest names. */
static void manifest(void) {
  char path[] = "/tmp/embed_manifest_XXXXXX";
  const int file = mkstemp(path);
  CHECK(file >= 0);
  char text[4096];
  const int length = snprintf(text, sizeof(text), "extensions:\n- %s\n", extension);
  CHECK(write(file, text, (size_t)length) == length);
  close(file);
  const char* const manifests[] = {strrchr(path, '/') + 1};
  const GxfLoadExtensionsInfo info = {NULL, 0, manifests, 1, "/tmp"};
  gxf_context_t context = kNullContext;
  OK(GxfContextCreate(&context));
  OK(GxfLoadExtensions(context, &info));
  OK(GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  OK(GxfParameterSetBool(context, component(context, "counting", "counter"), "silent", true));
  OK(GxfGraphActivate(context));
  OK(GxfGraphRun(context));
  OK(GxfContextDestroy(context));
  unlink(path);
}

/* Several files in one graph; a file with a prefix. */
static void files(void) {
  const gxf_context_t context = create();
  OK(GxfGraphSetRootPath(context, folder));
  OK(GxfGraphLoadFile(context, "embed.yaml", NULL, 0));
  const gxf_uid_t counter = component(context, "counting", "counter");
  OK(GxfGraphLoadFileExtended(context, "part.yaml", "second.", NULL, 0, 0, NULL));
  OK(GxfGraphParseString(
      context, "name: counting\ncomponents:\n- name: counter\n  parameters: {step: 4}\n", NULL, 0));
  CHECK(component(context, "counting", "counter") == counter);
  int64_t step = 0;
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 4);
  OK(GxfParameterSetBool(context, counter, "silent", true));
  OK(GxfGraphActivate(context));
  CHECK(component(context, "counting", "counter") == counter);
  component(context, "second.part", "counter");
  OK(GxfGraphRun(context));
  OK(GxfGraphDeactivate(context));
  OK(GxfContextDestroy(context));
}

/* Lives of an own context. */
static void* lives(void* unused) {
  for (int i = 0; i < 3; ++i) {
    life();
  }
  return unused;
}

static void threads(void) {
  pthread_t first;
  pthread_t second;
  CHECK(pthread_create(&first, NULL, lives, NULL) == 0);
  CHECK(pthread_create(&second, NULL, lives, NULL) == 0);
  CHECK(pthread_join(first, NULL) == 0);
  CHECK(pthread_join(second, NULL) == 0);
}

/* One waits, another one interrupts, and both ask. */
static void* wait_for_end(void* context) {
  OK(GxfGraphWait(context));
  return NULL;
}

static void waiting(void) {
  const gxf_context_t context = create();
  OK(GxfGraphLoadFile(context, path_of("endless.yaml"), NULL, 0));
  OK(GxfGraphActivate(context));
  OK(GxfGraphRunAsync(context));
  const gxf_uid_t counter = component(context, "counting", "counter");
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, wait_for_end, context) == 0);
  for (int i = 0; i < 50; ++i) {
    int64_t step = 0;
    OK(GxfParameterSetInt64(context, counter, "step", i));
    OK(GxfParameterGetInt64(context, counter, "step", &step));
    CHECK(step == i);
    gxf_uid_t entity = kNullUid;
    OK(GxfEntityFind(context, "counting", &entity));
    OK(GxfEntityEventNotify(context, entity));
  }
  OK(GxfGraphInterrupt(context));
  CHECK(pthread_join(thread, NULL) == 0);
  OK(GxfGraphWait(context));
  OK(GxfGraphDeactivate(context));
  OK(GxfContextDestroy(context));
}

/* An application of one counter, whose other parameters are `more`, with this scheduler. */
static gxf_context_t parse(const char* more, const char* scheduler) {
  const gxf_context_t context = create();
  char text[2048];
  snprintf(text, sizeof(text),
           "name: counting\n"
           "components:\n"
           "- {name: count, type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 3}}\n"
           "- name: counter\n"
           "  type: acme::embed::Counter\n"
           "  parameters: {label: counter, silent: true%s%s}\n"
           "---\n"
           "components:\n"
           "- {name: clock, type: nvidia::gxf::RealtimeClock}\n"
           "- {name: scheduler, type: nvidia::gxf::%s, parameters: {clock: clock}}\n",
           *more != '\0' ? ", " : "", more, scheduler);
  OK(GxfGraphParseString(context, text, NULL, 0));
  return context;
}

/* Some threads ask while others end the graph: components go on the thread that ends it, before
   GxfGraphDeactivate() returns. */
static atomic_bool asking;

static void* ask(void* context) {
  const gxf_uid_t counter = component(context, "counting", "counter");
  while (atomic_load(&asking)) {
    int64_t step = 0;
    OK(GxfParameterGetInt64(context, counter, "step", &step));
  }
  return NULL;
}

static void questions(void) {
  const gxf_context_t context = parse("does: keep the thread", "GreedyScheduler");
  pthread_t threads[3];
  atomic_store(&asking, true);
  for (int i = 0; i < 3; ++i) {
    CHECK(pthread_create(&threads[i], NULL, ask, context) == 0);
  }
  for (int i = 0; i < 200; ++i) {
    OK(GxfGraphActivate(context));
    OK(GxfGraphDeactivate(context));
  }
  atomic_store(&asking, false);
  for (int i = 0; i < 3; ++i) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
  OK(GxfContextDestroy(context));
}

/* Two wait, and the first ends the graph, perhaps before the other begins to wait. */
static void* wait_and_end(void* context) {
  const gxf_result_t waited = GxfGraphWait(context);
  CHECK(waited == GXF_SUCCESS || waited == GXF_INVALID_EXECUTION_SEQUENCE);
  const gxf_result_t code = GxfGraphDeactivate(context);
  CHECK(code == GXF_SUCCESS || code == GXF_INVALID_EXECUTION_SEQUENCE);
  return NULL;
}

static void waiters(void) {
  const gxf_context_t context = parse("does: leave the thread", "GreedyScheduler");
  for (int i = 0; i < 400; ++i) {
    pthread_t threads[2];
    OK(GxfGraphActivate(context));
    OK(GxfGraphRunAsync(context));
    for (int j = 0; j < 2; ++j) {
      CHECK(pthread_create(&threads[j], NULL, wait_and_end, context) == 0);
    }
    for (int j = 0; j < 2; ++j) {
      CHECK(pthread_join(threads[j], NULL) == 0);
    }
  }
  OK(GxfContextDestroy(context));
}

/* A context is destroyed while another thread ends the graph: both return when all is gone. */
static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static _Atomic(int64_t) deactivated;

static void* end_slowly(void* context) {
  if (GxfGraphWait(context) == GXF_SUCCESS && GxfGraphDeactivate(context) == GXF_SUCCESS) {
    atomic_store(&deactivated, now_ms());
  }
  return NULL;
}

static void destruction(void) {
  for (int i = 0; i < 8; ++i) {
    const gxf_context_t context = parse("does: go slowly", "GreedyScheduler");
    pthread_t thread;
    atomic_store(&deactivated, 0);
    OK(GxfGraphActivate(context));
    OK(GxfGraphRunAsync(context));
    CHECK(pthread_create(&thread, NULL, end_slowly, context) == 0);
    const gxf_result_t code = GxfContextDestroy(context);
    const int64_t destroyed = now_ms();
    OK(code);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(atomic_load(&deactivated) < destroyed + 100);
  }
}

/* What codelets may not do with their own graph, but with another one. */
static void codelets(void) {
  static const char* const schedulers[] = {"GreedyScheduler", "MultiThreadScheduler",
                                           "EventBasedScheduler"};
  for (int i = 0; i < 3; ++i) {
    gxf_context_t context = parse("does: end the graph", schedulers[i]);
    OK(GxfGraphActivate(context));
    OK(GxfGraphRun(context));
    OK(GxfGraphDeactivate(context));
    OK(GxfGraphActivate(context));
    OK(GxfGraphDeactivate(context));
    OK(GxfContextDestroy(context));
    context = parse("does: embed another graph", schedulers[i]);
    OK(GxfGraphActivate(context));
    OK(GxfGraphRun(context));
    OK(GxfContextDestroy(context));
  }
}

/* What another thread sets while the graph is activated. */
static void* activate(void* context) {
  OK(GxfGraphActivate(context));
  return NULL;
}

static void late_values(void) {
  const gxf_context_t context = parse("does: initialize slowly", "GreedyScheduler");
  const gxf_uid_t counter = component(context, "counting", "counter");
  pthread_t thread;
  int64_t step = 0;
  int32_t unset = 0;
  CHECK(pthread_create(&thread, NULL, activate, context) == 0);
  wait_ms(100);
  EXPECT(GXF_PARAMETER_CAN_NOT_MODIFY_CONSTANT, GxfParameterSetInt32(context, counter, "unset", 3));
  OK(GxfParameterSetInt64(context, counter, "step", 42));
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 42);
  CHECK(pthread_join(thread, NULL) == 0);
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 42);
  OK(GxfParameterGetInt32(context, counter, "unset", &unset));
  CHECK(unset == 7); /* of initialize() */
  OK(GxfGraphRun(context));
  OK(GxfParameterSetInt64(context, counter, "step", 43)); /* for the next run */
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 43);
  OK(GxfGraphRun(context));
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 43);
  OK(GxfGraphDeactivate(context));
  OK(GxfParameterGetInt64(context, counter, "step", &step));
  CHECK(step == 43);
  OK(GxfContextDestroy(context));
}

/* Components of entities without a name. */
static void nameless(void) {
  gxf_context_t context = create();
  OK(GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  gxf_uid_t all[4];
  uint64_t length = 4;
  OK(GxfEntityFindAll(context, &length, all));
  gxf_uid_t scheduler = kNullUid;
  gxf_tid_t tid = GxfTidNull();
  int64_t duration = 0;
  OK(GxfComponentTypeId(context, "nvidia::gxf::GreedyScheduler", &tid));
  OK(GxfComponentFind(context, all[1], tid, NULL, NULL, &scheduler));
  OK(GxfParameterSetInt64(context, scheduler, "max_duration_ms", 1000));
  OK(GxfParameterGetInt64(context, scheduler, "max_duration_ms", &duration));
  CHECK(duration == 1000);
  OK(GxfGraphActivate(context));
  OK(GxfGraphRun(context));
  OK(GxfGraphDeactivate(context));
  OK(GxfContextDestroy(context));
  /* Of two that are alike, a setting cannot name one. */
  context = create();
  OK(GxfGraphParseString(context,
                         "components:\n- {name: clock, type: nvidia::gxf::ManualClock}\n"
                         "---\ncomponents:\n- {name: clock, type: nvidia::gxf::ManualClock}\n",
                         NULL, 0));
  length = 4;
  OK(GxfEntityFindAll(context, &length, all));
  OK(GxfComponentFind(context, all[1], GxfTidNull(), "clock", NULL, &scheduler));
  EXPECT(GXF_NOT_IMPLEMENTED, GxfParameterSetInt64(context, scheduler, "initial_timestamp", 1));
  OK(GxfContextDestroy(context));
}

/* Manifests that cannot be read leave no trace; libraries of GXF are passed over. */
static const char* write_manifest(const char* text) {
  static char path[] = "/tmp/embed_manifests_XXXXXX";
  static bool is_made = false;
  if (!is_made) {
    const int made = mkstemp(path);
    CHECK(made >= 0);
    close(made);
    is_made = true;
  }
  FILE* const file = fopen(path, "w");
  CHECK(file != NULL);
  fputs(text, file);
  fclose(file);
  return path;
}

static void manifests(void) {
  const gxf_context_t context = parse("", "GreedyScheduler");
  EXPECT(GXF_FAILURE, GxfLoadExtensionManifest(context, "/no/such/manifest.yaml"));
  EXPECT(GXF_FAILURE, GxfLoadExtensionManifest(context, "/tmp"));
  EXPECT(GXF_FAILURE, GxfLoadExtensionManifest(context, write_manifest("extensions: [\n")));
  EXPECT(GXF_FAILURE, GxfLoadExtensionManifest(context, write_manifest("extension: [a.so]\n")));
  OK(GxfLoadExtensionManifest(
      context, write_manifest("extensions:\n- gxf/std/libgxf_std.so\n- libgxf_cuda.so\n")));
  OK(GxfLoadExtension(context, "gxf/std/libgxf_std.so"));
  OK(GxfGraphActivate(context));
  OK(GxfGraphRun(context));
  OK(GxfContextDestroy(context));
  unlink(write_manifest(""));
}

/* The codes of codelets, also those without a name. */
static void codes(void) {
  static const uint32_t all[] = {
      GXF_FAILURE, GXF_CONNECTION_BROKEN, GXF_IPC_CONNECTION_FAILURE, 24, 28, 29, 60, 61};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
    const gxf_context_t context = parse("does: return the limit", "MultiThreadScheduler");
    const gxf_uid_t counter = component(context, "counting", "counter");
    OK(GxfParameterSetUInt32(context, counter, "limit", all[i]));
    OK(GxfGraphActivate(context));
    EXPECT((gxf_result_t)all[i], GxfGraphRun(context));
    OK(GxfParameterSetStr(context, counter, "does", "initialize with the limit"));
    EXPECT((gxf_result_t)all[i], GxfGraphActivate(context));
    OK(GxfContextDestroy(context));
  }
}

/* What GXF tolerates is told of, once. */
static void warnings(void) {
  const gxf_context_t context = parse("no_such_key: 1", "GreedyScheduler");
  OK(GxfGraphActivate(context));
  OK(GxfGraphRun(context));
  OK(GxfGraphRun(context));
  OK(GxfGraphDeactivate(context));
  OK(GxfGraphActivate(context));
  OK(GxfContextDestroy(context));
}

/* The state of an entity, which it has while the graph is active. */
static void states(void) {
  const gxf_context_t context = parse("", "GreedyScheduler");
  gxf_uid_t entity = kNullUid;
  entity_state_t state;
  OK(GxfEntityFind(context, "counting", &entity));
  for (int i = 0; i < 2; ++i) {
    EXPECT(GXF_INVALID_EXECUTION_SEQUENCE, GxfEntityGetState(context, entity, &state));
    EXPECT(GXF_INVALID_EXECUTION_SEQUENCE, GxfEntityEventNotify(context, entity));
    EXPECT(GXF_ENTITY_NOT_FOUND, GxfEntityGetState(context, 9999, &state));
    OK(GxfGraphActivate(context));
    OK(GxfEntityGetState(context, entity, &state));
    OK(GxfEntityEventNotify(context, entity));
    OK(GxfGraphDeactivate(context));
  }
  OK(GxfContextDestroy(context));
}

/* Numbers may change when a file follows a document of the short form; settings stay with what they
   name. */
static void numbers(void) {
  const gxf_context_t context = create();
  OK(GxfGraphParseString(context,
                         "name: short\noperator: acme::embed::Counter\n"
                         "parameters: {label: short, silent: true}\ncount: 2\n",
                         NULL, 0));
  gxf_uid_t counter = component(context, "short", "operator");
  OK(GxfParameterSetInt64(context, counter, "step", 7));
  OK(GxfGraphLoadFile(context, path_of("embed.yaml"), NULL, 0));
  int64_t step = 0;
  OK(GxfParameterSetInt64(context, component(context, "counting", "counter"), "step", 3));
  OK(GxfParameterGetInt64(context, component(context, "short", "operator"), "step", &step));
  CHECK(step == 7);
  gxf_uid_t entity = kNullUid;
  gxf_uid_t all[8];
  uint64_t count = 8;
  OK(GxfEntityFind(context, "short", &entity));
  OK(GxfComponentFindAll(context, entity, &count, all));
  for (uint64_t i = 0; i < count; ++i) {
    const gxf_result_t code = GxfParameterGetInt64(context, all[i], "step", &step);
    CHECK(code == GXF_PARAMETER_NOT_FOUND || step == 7);
  }
  OK(GxfParameterGetInt64(context, component(context, "counting", "counter"), "step", &step));
  CHECK(step == 3);
  OK(GxfContextDestroy(context));
}

int main(int count, char** arguments) {
  static const struct {
    const char* name;
    void (*run)(void);
  } scenarios[] = {
      {"life", life},
      {"again", again},
      {"order", order},
      {"nothing", nothing},
      {"queries", queries},
      {"parameters", parameters},
      {"mistakes", mistakes},
      {"files", files},
      {"information", information},
      {"threads", threads},
      {"manifest", manifest},
      {"waiting", waiting},
      {"questions", questions},
      {"waiters", waiters},
      {"destruction", destruction},
      {"codelets", codelets},
      {"late_values", late_values},
      {"nameless", nameless},
      {"manifests", manifests},
      {"codes", codes},
      {"warnings", warnings},
      {"states", states},
      {"numbers", numbers},
  };
  if (count != 4) {
    fprintf(stderr, "embed EXTENSION FOLDER SCENARIO\n");
    return 2;
  }
  extension = arguments[1];
  folder = arguments[2];
  for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); ++i) {
    if (strcmp(scenarios[i].name, arguments[3]) == 0) {
      scenarios[i].run();
      return 0;
    }
  }
  fprintf(stderr, "there is no scenario '%s'\n", arguments[3]);
  return 2;
}
