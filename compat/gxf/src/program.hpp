#pragma once

#include <any>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "context.hpp"
#include "gxf/core/gxf.h"
#include "gxr/application.hpp"
#include "program_graph.hpp"
#include "program_types.hpp"
#include "setting.hpp"

// Programs that embed applications through GXF's C interface.

namespace nvidia::gxf::layer {

/// The content of a context of GxfContextCreate(): the files that were loaded, and the application
/// made of them while the graph is active. Thread-safe; throws gxr::Error.
class Program {
 public:
  explicit Program(Context& context) noexcept : context_(context) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  // --- what the application is made of
  gxf_result_t load_extensions(const std::vector<std::string>& files,
                               const std::vector<std::string>& manifests);
  gxf_result_t load_file(const std::string& path, std::vector<std::string> overrides,
                         const char* call);
  gxf_result_t load_text(std::string text, std::vector<std::string> overrides, const char* call);
  gxf_result_t set_root(std::string folder);
  /// `path` as the root folder has it.
  [[nodiscard]] std::string below_root(const std::string& path);

  // --- its life
  gxf_result_t activate();
  gxf_result_t run_async(const char* call);
  gxf_result_t interrupt();
  gxf_result_t wait();
  gxf_result_t deactivate();
  /// Ends whatever runs; false: that cannot be done here, and nothing happens.
  bool close(gxf_result_t& code);

  /// Notes the code that a method of a component returned; its failure has this text.
  void note_failure(const gxr::Component& component, gxf_result_t code, const std::string& text);

  // --- what it consists of
  [[nodiscard]] std::shared_ptr<const ProgramGraph> graph();
  [[nodiscard]] std::shared_ptr<const ProgramTypes> types();
  /// "entity/component"; empty: handles cannot name it.
  [[nodiscard]] std::string name_of_component(gxf_uid_t cid);
  /// The same text for as long as the context lives.
  const char* keep(std::string_view text);
  /// The result of `make` for this key, made once, for as long as the context lives.
  template <class T, class Make>
  const T& keep_made(const std::string& key, Make&& make);

  // --- parameters
  gxf_result_t set(gxf_uid_t cid, const char* key, Setting setting);
  /// Reads the value in force into `value`.
  template <class T>
  gxf_result_t get(gxf_uid_t cid, const char* key, T& value);
  gxf_result_t get_handle(gxf_uid_t cid, const char* key, gxf_uid_t& target);

 private:
  enum class State : std::uint8_t { Origin, Activating, Activated, Running, Deinitializing };
  /// One run of the graph.
  struct Run {
    std::thread thread;
    gxf_result_t result = GXF_SUCCESS;
    bool has_ended = false;   // its thread is about to end
    bool has_waiter = false;  // somebody joins the thread
    bool is_over = false;     // and the state says so
  };
  struct Load {
    std::string name;                 // of the file, or what stands for it
    std::optional<std::string> text;  // none: the file could not be read
    std::vector<std::string> overrides;
  };
  /// A parameter that the program set.
  struct Given {
    Setting setting;
    bool waits = false;       // the component of the active graph does not have it yet
    std::uint64_t swaps = 0;  // of its parameter when it began to wait
  };
  /// A failure of a component that told its code.
  struct Noted {
    std::string entity;
    std::string component;
    std::string type;
    std::string text;
    gxf_result_t code;
  };
  struct Recipe {
    std::string root;
    std::vector<std::string> extensions;
    std::vector<std::string> manifests;
    std::vector<Load> loads;
  };

  static std::shared_ptr<gxr::Application> make(const Recipe& recipe);
  static bool is_passed_over(const std::string& file);
  gxf_result_t load(Load added, const char* call);
  gxf_result_t make_active();
  gxf_result_t make_application();
  gxf_result_t end_application();
  void leave_application();
  void set_state(State state);
  template <class T>
  std::shared_ptr<T> lend(const std::shared_ptr<T>& live);
  void run_to_end(gxr::Application& application, Run& run);
  gxf_result_t result_of(const gxr::Report& report);
  void tell_warnings(gxr::Application& application);
  static std::string name_for_settings(const ProgramGraph& graph, const ProgramGraph::Place& place);
  template <class T>
  bool get_live(gxf_uid_t cid, const char* key, T& value, std::uint64_t& swaps);
  [[nodiscard]] const ParameterSlot* slot_of_active(gxf_uid_t cid, const char* key);
  [[nodiscard]] std::uint64_t swaps_of(gxf_uid_t cid, const char* key);
  std::unique_lock<std::mutex> lock_settled();

  Context& context_;
  std::mutex loading_;  // one file after the other
  std::mutex mutex_;    // guards the members below; never held while components are called
  std::condition_variable changed_;
  State state_ = State::Origin;
  Recipe recipe_;
  std::map<std::string, Given> settings_;       // by what they set: numbers may change
  std::vector<std::string> late_;               // that came while the application was made
  std::shared_ptr<const ProgramGraph> loaded_;  // by the files; null: nothing was loaded
  std::shared_ptr<const ProgramGraph> active_;  // of application_
  std::shared_ptr<const ProgramTypes> types_;
  std::shared_ptr<gxr::Application> application_;  // of the active graph
  bool has_run_ = false;                           // application_ has
  bool interrupted_ = false;
  bool closed_ = false;
  std::vector<Noted> noted_;       // since the application was made, each once
  std::set<std::string> told_;     // warnings
  std::shared_ptr<Run> run_;       // the last one
  std::atomic<int> borrowers_{0};  // of active_ and application_, which go after them

  std::mutex kept_mutex_;  // guards the members below
  std::set<std::string, std::less<>> texts_;
  std::map<std::string, std::any> made_;
};

/// Uses what goes with the application, without holding it: end of the application waits for those
/// who do, so that its components go on the thread that ends it. Call with the lock.
template <class T>
std::shared_ptr<T> Program::lend(const std::shared_ptr<T>& live) {
  ++borrowers_;
  return std::shared_ptr<T>(live.get(), [this](T*) {
    --borrowers_;
    borrowers_.notify_all();
  });
}

template <class T, class Make>
const T& Program::keep_made(const std::string& key, Make&& make) {
  {
    const std::lock_guard lock(kept_mutex_);
    if (const auto known = made_.find(key); known != made_.end()) {
      return *std::any_cast<std::shared_ptr<T>>(known->second);
    }
  }
  const std::shared_ptr<T> made = make();
  const std::lock_guard lock(kept_mutex_);
  return *std::any_cast<std::shared_ptr<T>>(made_.emplace(key, made).first->second);
}

/// The value that the component has while the graph is active; false: it has none of this type.
template <class T>
bool Program::get_live(gxf_uid_t cid, const char* key, T& value, std::uint64_t& swaps) {
  const std::shared_lock use(context_.use());
  const ParameterSlot* const slot = slot_of_active(cid, key);
  if (slot == nullptr) {
    return false;
  }
  if (slot->copy_if(detail::TypeKey<T>(), &value, swaps)) {
    return true;
  }
  typename IsText<T>::Other other{};
  if (!IsText<T>::value ||
      !slot->copy_if(detail::TypeKey<typename IsText<T>::Other>(), &other, swaps)) {
    return false;
  }
  value = std::move(other);
  return true;
}

template <class T>
gxf_result_t Program::get(gxf_uid_t cid, const char* key, T& value) {
  const std::shared_ptr<const ProgramGraph> graph = this->graph();
  const gxr::ParameterSetting* parameter = nullptr;
  if (const gxf_result_t code = graph->find_parameter(cid, key, parameter); code != GXF_SUCCESS) {
    return code;
  }
  if (!Setting::fits<T>(parameter->info->type)) {
    return GXF_PARAMETER_INVALID_TYPE;
  }
  T live{};
  std::uint64_t swaps = 0;
  const bool is_live = get_live(cid, key, live, swaps);
  {
    const std::lock_guard lock(mutex_);
    const auto known = settings_.find(name_for_settings(*graph, graph->component(cid)) + key);
    if (known != settings_.end() && (!is_live || known->second.waits)) {
      Given& given = known->second;
      if (!given.setting.get(value)) {
        return GXF_PARAMETER_INVALID_TYPE;
      }
      given.waits = given.waits && !(is_live && (swaps > given.swaps || live == value));
      if (!is_live || given.waits) {
        return GXF_SUCCESS;
      }
    }
  }
  if (is_live) {
    value = std::move(live);
    return GXF_SUCCESS;
  }
  if (parameter->value == nullptr) {
    return GXF_PARAMETER_NOT_INITIALIZED;
  }
  return Setting::read(*parameter->value, value) ? GXF_SUCCESS : GXF_PARAMETER_INVALID_TYPE;
}

}  // namespace nvidia::gxf::layer
