#include "counter.hpp"

#include <chrono>
#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <thread>

namespace acme {
namespace embed {
namespace {

// Of the calling thread. Unlike a thread's id, no later thread gets it again.
uint64_t number_of_thread() {
  static std::atomic<uint64_t> threads{0};
  thread_local const uint64_t number = ++threads;
  return number;
}

}  // namespace

gxf_result_t Counter::registerInterface(nvidia::gxf::Registrar* registrar) {
  const auto none = nvidia::gxf::Registrar::NoDefaultParameter();
  nvidia::gxf::Expected<void> result;
  nvidia::gxf::ParameterInfo<int64_t> step;
  step.key = "step";
  step.headline = "Step";
  step.description = "What a tick adds";
  step.flags = GXF_PARAMETER_FLAGS_DYNAMIC;
  step.value_default = int64_t{1};
  // Its greatest number is no double, as which gxr keeps what is known of parameters.
  step.value_range = {{0, 0, std::numeric_limits<int64_t>::max()}};
  result &= registrar->parameter(step_, step);
  nvidia::gxf::ParameterInfo<uint32_t> limit;
  limit.key = "limit";
  limit.headline = "Limit";
  limit.description = "The sum at which a tick fails; 0: none";
  limit.value_default = 0U;
  limit.value_range = {{0U, 1000U, 1U}};
  result &= registrar->parameter(limit_, limit);
  result &=
      registrar->parameter(unset_, "unset", "Unset", "Nothing", none, GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(interrupts_at_, "interrupts_at", "Interrupts at",
                                 "The tick that interrupts the graph; 0: none", uint16_t{0});
  result &= registrar->parameter(silent_, "silent", "Silent", "Says nothing at the end", false);
  result &= registrar->parameter(gain_, "gain", "Gain", "A number", 0.5f);
  result &= registrar->parameter(ratio_, "ratio", "Ratio", "A number", 0.25);
  result &= registrar->parameter(label_, "label", "Label", "What the counter calls itself");
  result &= registrar->parameter(does_, "does", "Does", "What else it does", std::string());
  result &= registrar->parameter(file_, "file", "File", "A path", nvidia::gxf::FilePath("none"));
  result &=
      registrar->parameter(numbers_, "numbers", "Numbers", "A list", std::vector<int64_t>{1, 2, 3});
  result &= registrar->parameter(grid_, "grid", "Grid", "Rows", none, GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(names_, "names", "Names", "Texts",
                                 std::vector<std::string>{"one", "three"});
  result &= registrar->parameter(term_, "term", "Term", "Any", none, GXF_PARAMETER_FLAGS_OPTIONAL);
  return nvidia::gxf::ToResultCode(result);
}

// The functions of the context work here as they do for the program.
gxf_result_t Counter::initialize() {
  maker_ = number_of_thread();
  if (does_.get() == "initialize with the limit") {
    return static_cast<gxf_result_t>(limit_.get());
  }
  if (does_.get() == "initialize slowly") {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  gxf_uid_t found = kNullUid;
  const char* name = nullptr;
  gxf_result_t code = GxfEntityGetName(context(), eid(), &name);
  if (code == GXF_SUCCESS) {
    code = GxfEntityFind(context(), name, &found);
  }
  if (code != GXF_SUCCESS || found != eid()) {
    GXF_LOG_ERROR("The entity is not found: %s", GxfResultStr(code));
    return GXF_ENTITY_NOT_FOUND;
  }
  code = GxfParameterSetInt32(context(), cid(), "unset", 7);
  if (code != GXF_SUCCESS || unset_.try_get() != 7) {
    return GXF_PARAMETER_NOT_FOUND;
  }
  if (does_.get() == "end the graph") {
    return end_graph();
  }
  return std::strcmp(label_.get().c_str(), "fails") == 0 ? GXF_MEMORY_INVALID_STORAGE_MODE
                                                         : GXF_SUCCESS;
}

Counter::~Counter() {
  const std::string does = does_.try_get() ? does_.get() : std::string();
  const uint64_t here = number_of_thread();
  if ((does == "keep the thread" && here != maker_) ||
      (does == "leave the thread" && here == ticker_)) {
    GXF_LOG_ERROR("The destructor runs on the wrong thread");
    std::abort();
  }
  if (does == "go slowly") {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
}

// A component cannot end the graph that it is part of.
gxf_result_t Counter::end_graph() {
  for (const auto end : {&GxfGraphWait, &GxfGraphDeactivate, &GxfContextDestroy}) {
    if (end(context()) != GXF_INVALID_EXECUTION_SEQUENCE) {
      return GXF_CONTRACT_INVALID_SEQUENCE;
    }
  }
  return GXF_SUCCESS;
}

gxf_result_t Counter::embed_another() {
  gxf_context_t other = kNullContext;
  gxf_uid_t entity = kNullUid;
  gxf_uid_t found = kNullUid;
  int64_t count = 0;
  nvidia::gxf::Expected<void> result;
  const auto require = [&](gxf_result_t code) { result &= nvidia::gxf::ExpectedOrCode(code); };
  require(GxfContextCreate(&other));
  require(GxfGraphParseString(other,
                              "name: counting\n"
                              "components:\n"
                              "- {name: count, type: nvidia::gxf::CountSchedulingTerm,"
                              " parameters: {count: 3}}\n",
                              nullptr, 0));
  require(GxfEntityFind(other, "counting", &entity));
  require(GxfComponentFind(other, entity, GxfTidNull(), "count", nullptr, &found));
  require(GxfParameterSetInt64(other, found, "count", 5));
  require(GxfParameterGetInt64(other, found, "count", &count));
  require(count == 5 ? GXF_SUCCESS : GXF_PARAMETER_OUT_OF_RANGE);
  require(GxfGraphWait(other));
  require(GxfContextDestroy(other));
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t Counter::tick() {
  ++ticks_;
  ticker_ = number_of_thread();
  if (does_.get() == "return the limit") {
    return static_cast<gxf_result_t>(limit_.get());
  }
  if (does_.get() == "end the graph" && end_graph() != GXF_SUCCESS) {
    return GXF_CONTRACT_INVALID_SEQUENCE;
  }
  if (does_.get() == "embed another graph" && embed_another() != GXF_SUCCESS) {
    return GXF_CONTRACT_INVALID_SEQUENCE;
  }
  // A codelet may set whatever it has, and finds it there.
  const gxf_result_t code = GxfParameterSetInt32(context(), cid(), "unset", 8);
  if (code != GXF_SUCCESS || unset_.try_get() != 8) {
    return GXF_PARAMETER_NOT_FOUND;
  }
  sum_ += step_.get();
  if (limit_.get() != 0 && sum_ >= static_cast<int64_t>(limit_.get())) {
    return GXF_EXCEEDING_PREALLOCATED_SIZE;
  }
  if (interrupts_at_.get() != 0 && ticks_ == interrupts_at_.get()) {
    return GxfGraphInterrupt(context());
  }
  return GXF_SUCCESS;
}

gxf_result_t Counter::stop() {
  if (!silent_.get()) {
    GXF_LOG_INFO("%s: %" PRIu64 " ticks, the sum is %" PRId64, label_.get().c_str(), ticks_,
                 sum_.load());
  }
  return GXF_SUCCESS;
}

gxf_result_t Counter::deinitialize() {
  if (does_.get() == "end the graph") {
    return end_graph();
  }
  return label_.get() == "fails late" ? GXF_CONNECTION_BROKEN : GXF_SUCCESS;
}

}  // namespace embed
}  // namespace acme
