#include "program.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "adapters.hpp"
#include "common/logger.hpp"
#include "gxr/error.hpp"
#include "native.hpp"

namespace nvidia::gxf::layer {
namespace {

struct ProblemCode {
  std::string_view problem;
  gxf_result_t code;
};

/// Problems that GXF finds when it loads a file; it finds others when the graph is activated, since
/// another file, or a program, may still change what they are about.
constexpr std::array kProblemsOfFiles = {
    ProblemCode{"file-not-found", GXF_FAILURE},
    ProblemCode{"file-unreadable", GXF_FAILURE},
    ProblemCode{"out-of-memory", GXF_OUT_OF_MEMORY},
    ProblemCode{"yaml-syntax", GXF_FAILURE},
    ProblemCode{"empty-file", GXF_FAILURE},
    ProblemCode{"document-not-map", GXF_FAILURE},
    ProblemCode{"too-many-alias-nodes", GXF_FAILURE},
    ProblemCode{"duplicate-key", GXF_FAILURE},
    ProblemCode{"components-not-list", GXF_FAILURE},
    ProblemCode{"component-not-map", GXF_FAILURE},
    ProblemCode{"component-without-type", GXF_FAILURE},
    ProblemCode{"parameters-not-map", GXF_FAILURE},
    ProblemCode{"invalid-name", GXF_ARGUMENT_INVALID},
    ProblemCode{"name-with-slash", GXF_ARGUMENT_INVALID},
    ProblemCode{"subgraph-recursion", GXF_FAILURE},
    ProblemCode{"subgraphs-too-large", GXF_FAILURE},
    ProblemCode{"manifest-invalid", GXF_FAILURE},
    ProblemCode{"extension-not-found", GXF_EXTENSION_FILE_NOT_FOUND},
    ProblemCode{"extension-invalid", GXF_EXTENSION_NO_FACTORY},
    ProblemCode{"extension-incompatible", GXF_FACTORY_INCOMPATIBLE},
    ProblemCode{"type-in-two-extensions", GXF_FACTORY_DUPLICATE_TID},
    ProblemCode{"unknown-type", GXF_FACTORY_UNKNOWN_CLASS_NAME},
    ProblemCode{"abstract-type", GXF_FACTORY_ABSTRACT_CLASS},
    ProblemCode{"entity-not-found", GXF_ENTITY_NOT_FOUND},
    ProblemCode{"component-not-found", GXF_ENTITY_COMPONENT_NOT_FOUND},
    ProblemCode{"component-ambiguous", GXF_ENTITY_COMPONENT_NOT_FOUND},
    ProblemCode{"handle-type", GXF_ENTITY_COMPONENT_NOT_FOUND},
    ProblemCode{"handle-outside-subgraph", GXF_ENTITY_NOT_FOUND},
    ProblemCode{"parameter-value", GXF_PARAMETER_PARSER_ERROR},
    ProblemCode{"override-syntax", GXF_ARGUMENT_INVALID},
};
/// Further ones that have a code of their own.
constexpr std::array kLateProblems = {
    ProblemCode{"parameter-missing", GXF_PARAMETER_MANDATORY_NOT_SET},
    ProblemCode{"parameter-range", GXF_PARAMETER_OUT_OF_RANGE},
    ProblemCode{"parameter-choice", GXF_PARAMETER_OUT_OF_RANGE},
    ProblemCode{"unknown-parameter", GXF_PARAMETER_NOT_FOUND},
    ProblemCode{"override-no-match", GXF_PARAMETER_NOT_FOUND},
};
template <class Codes>
const ProblemCode* find_code(const Codes& codes, const std::string& problem) {
  const auto found = std::find_if(codes.begin(), codes.end(), [&](const ProblemCode& known) {
    return known.problem == problem;
  });
  return found != codes.end() ? &*found : nullptr;
}

/// The code of the first error that has one of its own.
gxf_result_t code_of_all(const std::vector<gxr::Problem>& problems) {
  for (const gxr::Problem& problem : problems) {
    const ProblemCode* const early = find_code(kProblemsOfFiles, problem.code);
    const ProblemCode* const late = find_code(kLateProblems, problem.code);
    if (problem.is_error && (early != nullptr || late != nullptr)) {
      return early != nullptr ? early->code : late->code;
    }
  }
  return GXF_FAILURE;
}

/// In one line, as compilers have it. Arguments of this program have no place.
std::string line_of(const gxr::Problem& problem) {
  const bool is_in_file = problem.file.compare(0, 2, "--") != 0;
  std::string line = is_in_file ? problem.file : std::string();
  if (is_in_file && problem.line != 0) {
    line += ':' + std::to_string(problem.line) + ':' + std::to_string(problem.column);
  }
  line += (line.empty() ? "" : ": ") + problem.text + " [" + problem.code + "]";
  return problem.hint.empty() ? line : line + "; " + problem.hint;
}

/// The code of the first error that GXF finds when it loads a file; all of these go to the log.
gxf_result_t tell(const std::vector<gxr::Problem>& problems) {
  gxf_result_t code = GXF_SUCCESS;
  for (const gxr::Problem& problem : problems) {
    const ProblemCode* const known = find_code(kProblemsOfFiles, problem.code);
    if (problem.is_error && known != nullptr) {
      GXF_LOG_ERROR("%s", line_of(problem).c_str());
      code = code == GXF_SUCCESS ? known->code : code;
    }
  }
  return code;
}

/// Instead of files, where there are none.
const char* const kNoComponents = "components: []";
/// The name of texts in messages.
const char* const kTextName = "text";

/// The code of the first error that is one of extensions and manifests, which all go to the log; a
/// manifest that says nothing is one, too.
gxf_result_t tell_of_extensions(const std::vector<gxr::Problem>& problems) {
  gxf_result_t code = GXF_SUCCESS;
  for (const gxr::Problem& problem : problems) {
    if (problem.file != kTextName && (problem.is_error || problem.code == "manifest-invalid")) {
      GXF_LOG_ERROR("%s", line_of(problem).c_str());
      const ProblemCode* const known = find_code(kProblemsOfFiles, problem.code);
      code = code != GXF_SUCCESS ? code : known != nullptr ? known->code : GXF_FAILURE;
    }
  }
  return code;
}

/// Has it the name of a library of GXF? gxr has the types of these itself.
bool is_named_as_gxf(const std::string& file) {
  return std::filesystem::path(file).filename().string().starts_with("libgxf_");
}

gxf_result_t wrong_call(const char* call, const char* why) {
  GXF_LOG_ERROR("%s(): %s", call, why);
  return GXF_INVALID_EXECUTION_SEQUENCE;
}

std::string full_path(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path full = std::filesystem::weakly_canonical(path, ignored);
  return full.empty() ? path : full.string();
}

}  // namespace

Program::~Program() {
  if (run_ != nullptr && run_->thread.joinable()) {
    run_->thread.join();
  }
}

// --- what the application is made of

std::shared_ptr<gxr::Application> Program::make(const Recipe& recipe) {
  auto application = std::make_shared<gxr::Application>();
  application->compat_gxf();  // what such programs load was written for GXF
  application->root(recipe.root);
  for (const std::string& manifest : recipe.manifests) {
    application->manifest(manifest);
  }
  for (const std::string& extension : recipe.extensions) {
    application->extension(extension);
  }
  for (const Load& load : recipe.loads) {
    if (load.text) {
      application->load_text(*load.text, load.name);
    } else {
      application->load(load.name);
    }
    application->set_all(load.overrides);
  }
  return application;
}

/// Is it a library of GXF rather than an extension of such a name?
bool Program::is_passed_over(const std::string& file) {
  if (!is_named_as_gxf(file)) {
    return false;
  }
  const std::shared_ptr<gxr::Application> alone =
      make({{}, {file}, {}, {{kTextName, kNoComponents, {}}}});
  const std::vector<gxr::Problem>& problems = alone->problems();
  return std::any_of(problems.begin(), problems.end(), [](const gxr::Problem& problem) {
    return problem.code == "extension-not-found" || problem.code == "extension-invalid";
  });
}

gxf_result_t Program::load_extensions(const std::vector<std::string>& files,
                                      const std::vector<std::string>& manifests) {
  const std::lock_guard loading(loading_);
  Recipe recipe;
  {
    const std::lock_guard lock(mutex_);
    recipe = recipe_;
  }
  for (const std::string& file : files) {
    const bool is_known =
        std::any_of(recipe.extensions.begin(), recipe.extensions.end(),
                    [&](const std::string& known) { return full_path(known) == full_path(file); });
    if (is_known) {
      GXF_LOG_ERROR("extension '%s' is loaded already", file.c_str());
      return GXF_FACTORY_DUPLICATE_TID;
    }
    if (is_passed_over(file)) {
      GXF_LOG_WARNING("'%s' is a library of GXF, whose types gxr has itself: it is passed over",
                      file.c_str());
    } else {
      recipe.extensions.push_back(file);
    }
  }
  recipe.manifests.insert(recipe.manifests.end(), manifests.begin(), manifests.end());
  // Alone: what is wrong with an extension is told here, not what is wrong with a file.
  Recipe extensions = recipe;
  extensions.loads = {{kTextName, kNoComponents, {}}};
  const std::shared_ptr<gxr::Application> checked = make(extensions);
  const gxf_result_t code = tell_of_extensions(checked->problems());
  if (code == GXF_SUCCESS) {
    const std::lock_guard lock(mutex_);
    recipe_.extensions = std::move(recipe.extensions);
    recipe_.manifests = std::move(recipe.manifests);
    types_ = nullptr;
  }
  return code;
}

std::string Program::below_root(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return recipe_.root.empty() || path == "-" || path.compare(0, 1, "/") == 0
             ? path
             : recipe_.root + "/" + path;
}

/// A program may remove the file afterwards.
gxf_result_t Program::load_file(const std::string& path, std::vector<std::string> overrides,
                                const char* call) {
  const std::string file = below_root(path);
  Load added{file, std::nullopt, std::move(overrides)};
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream.good() || stream.eof()) {
      added.text = std::move(text);
    }
  }
  return load(std::move(added), call);
}

gxf_result_t Program::load_text(std::string text, std::vector<std::string> overrides,
                                const char* call) {
  return load({kTextName, std::move(text), std::move(overrides)}, call);
}

gxf_result_t Program::set_root(std::string folder) {
  const std::lock_guard lock(mutex_);
  recipe_.root = std::move(folder);
  return GXF_SUCCESS;
}

gxf_result_t Program::load(Load added, const char* call) {
  const std::lock_guard loading(loading_);
  Recipe recipe;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Origin) {
      return wrong_call(call, "the graph is active: load files before GxfGraphActivate()");
    }
    recipe = recipe_;
  }
  recipe.loads.push_back(added);
  std::shared_ptr<gxr::Application> draft = make(recipe);
  const gxf_result_t code = tell(draft->problems());
  if (code != GXF_SUCCESS) {
    return code;
  }
  auto graph = std::make_shared<const ProgramGraph>(std::move(draft));
  const std::lock_guard lock(mutex_);
  recipe_.loads.push_back(std::move(added));
  loaded_ = std::move(graph);
  types_ = nullptr;  // files may name extensions
  return GXF_SUCCESS;
}

// --- its life

void Program::set_state(State state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  changed_.notify_all();
}

gxf_result_t Program::activate() {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Origin || closed_) {
      return wrong_call("GxfGraphActivate", "the graph is active already");
    }
    state_ = State::Activating;
  }
  gxf_result_t code = GXF_FAILURE;
  try {
    code = make_active();
  } catch (...) {
    code = caught();
  }
  if (code != GXF_SUCCESS) {
    set_state(State::Origin);
    return code;
  }
  const std::unique_lock<std::mutex> lock = lock_settled();
  state_ = State::Activated;
  changed_.notify_all();
  return code;
}

/// Once the application has all values that other threads have set while it was made.
std::unique_lock<std::mutex> Program::lock_settled() {
  std::unique_lock lock(mutex_);
  while (!late_.empty()) {
    const std::vector<std::string> late = std::exchange(late_, {});
    gxr::Application& application = *application_;
    lock.unlock();
    for (const std::string& assignment : late) {
      try {
        application.set(assignment);
      } catch (...) {
        static_cast<void>(caught());
      }
    }
    lock.lock();
  }
  return lock;
}

/// Makes and initialises an application of what was loaded and set.
gxf_result_t Program::make_active() {
  const gxf_result_t code = make_application();
  if (code != GXF_SUCCESS) {
    leave_application();
  }
  return code;
}

gxf_result_t Program::make_application() {
  gxr::Application* application = nullptr;  // of this thread alone
  const ProgramGraph* graph = nullptr;
  {
    const std::lock_guard lock(mutex_);
    application_ = make(recipe_);
    application = application_.get();
    late_.clear();
    noted_.clear();
    for (auto& [parameter, given] : settings_) {
      application->set(given.setting.assignment());
      given.waits = false;
    }
  }
  if (!application->validate()) {
    std::string text = application->problems_text();
    text.erase(text.find_last_not_of('\n') + 1);
    GXF_LOG_ERROR("the application has errors:\n%s", text.c_str());
    return code_of_all(application->problems());
  }
  tell_warnings(*application);
  {
    const std::lock_guard lock(mutex_);
    active_ = std::make_shared<const ProgramGraph>(application_);
    graph = active_.get();
    has_run_ = false;
  }
  const ComponentCall call(&context_);
  const Context::MakingScope making(context_.shared_from_this());
  try {
    application->prepare();
  } catch (...) {
    static_cast<void>(caught());
    gxf_result_t code = GXF_FAILURE;
    {
      const std::lock_guard lock(mutex_);
      code = noted_.empty() ? code : noted_.front().code;
    }
    try {
      static_cast<void>(application->finish());  // which says the same once more
    } catch (const gxr::Error&) {                // it was not begun
    }
    return code;
  }
  tell_warnings(*application);  // also those that only components tell
  for (const gxr::EntityInfo& entity : graph->entities()) {
    for (const gxr::ComponentInfo& info : entity.components) {
      if (gxr::Component* const component = application->component(info.id); component != nullptr) {
        context_.move_to(component->context());
        context_.learn(*component);
      }
    }
  }
  return GXF_SUCCESS;
}

/// Warnings of the checks, each once in the life of the context.
void Program::tell_warnings(gxr::Application& application) {
  for (const gxr::Problem& problem : application.problems()) {
    const std::string line = line_of(problem);
    if (!problem.is_error && told_.insert(line).second) {  // of the thread that activates
      GXF_LOG_WARNING("%s", line.c_str());
    }
  }
}

void Program::note_failure(const gxr::Component& component, gxf_result_t code,
                           const std::string& text) {
  const std::lock_guard lock(mutex_);
  const bool is_known = std::any_of(noted_.begin(), noted_.end(), [&](const Noted& known) {
    return known.text == text && known.code == code && known.component == component.name() &&
           known.entity == component.entity_name() && known.type == component.type();
  });
  if (!is_known) {
    noted_.push_back({component.entity_name(), component.name(), component.type(), text, code});
  }
}

/// GXF's code of a run, that of its first failure; all failures go to the log.
gxf_result_t Program::result_of(const gxr::Report& report) {
  for (const gxr::Failure& failure : report.failures) {
    GXF_LOG_ERROR("%s", describe(failure).c_str());
  }
  if (report.failures.empty()) {
    return GXF_SUCCESS;
  }
  const gxr::Failure& first = report.failures.front();
  const std::lock_guard lock(mutex_);
  const auto noted = std::find_if(noted_.begin(), noted_.end(), [&](const Noted& known) {
    return known.entity == first.entity && known.component == first.component &&
           known.type == first.type && first.text.ends_with(known.text);
  });
  return noted != noted_.end() ? noted->code : GXF_FAILURE;
}

/// Deinitialises and destroys the application; the code is that of the first failure.
gxf_result_t Program::end_application() {
  gxr::Application* application = nullptr;
  {
    const std::lock_guard lock(mutex_);
    application = has_run_ ? nullptr : application_.get();
  }
  gxf_result_t code = GXF_SUCCESS;
  try {
    const ComponentCall call(&context_);
    code = application != nullptr ? result_of(application->finish()) : GXF_SUCCESS;
  } catch (...) {
    code = caught();
  }
  leave_application();
  return code;
}

/// Destroys the application on this thread; nobody finds its components any more.
void Program::leave_application() {
  context_.leave_engine();
  std::shared_ptr<const ProgramGraph> graph;
  std::shared_ptr<gxr::Application> application;
  {
    const std::lock_guard lock(mutex_);
    graph = std::move(active_);
    application = std::move(application_);
  }
  for (int borrowers = borrowers_; borrowers != 0; borrowers = borrowers_) {
    borrowers_.wait(borrowers);
  }
  const ComponentCall call(&context_);
  graph = nullptr;
  application = nullptr;  // without the lock: destructors of components may call
  context_.drop_facades();
}

/// On the thread of the run, which is joined before the application goes.
void Program::run_to_end(gxr::Application& application, Run& run) {
  gxf_result_t code = GXF_SUCCESS;
  try {
    const ComponentCall call(&context_);
    code = result_of(application.run());
  } catch (...) {
    code = caught();
  }
  const std::lock_guard lock(mutex_);
  run.result = code;
  run.has_ended = true;
  has_run_ = true;
  changed_.notify_all();
}

gxf_result_t Program::run_async(const char* call) {
  bool again = false;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Activated || closed_) {
      return wrong_call(call, state_ == State::Running ? "the graph runs already"
                                                       : "call GxfGraphActivate() first");
    }
    again = has_run_;
    state_ = State::Activating;
    interrupted_ = false;
  }
  gxf_result_t code = GXF_SUCCESS;
  try {
    if (again) {  // an application serves for one run
      leave_application();
      code = make_active();
    }
    if (code == GXF_SUCCESS) {
      const std::unique_lock<std::mutex> lock = lock_settled();
      auto run = std::make_shared<Run>();
      run->thread = std::thread(
          [this, &application = *application_, &run = *run] { run_to_end(application, run); });
      run_ = std::move(run);
      state_ = State::Running;
      changed_.notify_all();
      return code;
    }
  } catch (...) {
    code = caught();
    static_cast<void>(end_application());
  }
  set_state(State::Origin);
  return code;
}

gxf_result_t Program::interrupt() {
  std::shared_ptr<gxr::Application> application;
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Running || interrupted_) {
      return wrong_call("GxfGraphInterrupt", state_ == State::Running
                                                 ? "the run is interrupted already"
                                                 : "the graph does not run");
    }
    interrupted_ = true;
    application = lend(application_);
  }
  application->interrupt();
  return GXF_SUCCESS;
}

gxf_result_t Program::wait() {
  if (ComponentCall::is_in(context_)) {
    return wrong_call("GxfGraphWait", "a component of the graph cannot wait for its end");
  }
  std::shared_ptr<Run> run;
  {
    std::unique_lock lock(mutex_);
    if (run_ == nullptr || run_->is_over) {
      return GXF_SUCCESS;
    }
    run = run_;
    changed_.wait(lock, [&] { return run->is_over || (run->has_ended && !run->has_waiter); });
    if (run->is_over) {
      return run->result;
    }
    run->has_waiter = true;
  }
  // The first waiter ends the run, and the others wait for it.
  run->thread.join();
  const bool has_failed = run->result != GXF_SUCCESS;
  if (has_failed) {  // and takes the graph with it
    set_state(State::Deinitializing);
    leave_application();
  }
  const std::lock_guard lock(mutex_);
  run->is_over = true;
  state_ = has_failed ? State::Origin : State::Activated;
  changed_.notify_all();
  return run->result;
}

gxf_result_t Program::deactivate() {
  if (ComponentCall::is_in(context_)) {
    return wrong_call("GxfGraphDeactivate", "a component of the graph cannot end it");
  }
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Activated) {
      return wrong_call("GxfGraphDeactivate", state_ == State::Running
                                                  ? "the graph runs: call GxfGraphWait() first"
                                                  : "the graph is not active");
    }
    state_ = State::Deinitializing;
  }
  const gxf_result_t code = end_application();
  set_state(State::Origin);
  return code;
}

bool Program::close(gxf_result_t& code) {
  const auto add = [&](gxf_result_t another) { code = code == GXF_SUCCESS ? another : code; };
  code = GXF_SUCCESS;
  if (ComponentCall::is_in(context_)) {
    code = wrong_call("GxfContextDestroy", "a component of the graph cannot destroy its context");
    return false;
  }
  std::unique_lock lock(mutex_);
  closed_ = true;
  // Other threads may be about to activate, to wait or to deactivate.
  while (state_ != State::Origin) {
    if (state_ == State::Running) {
      std::shared_ptr<gxr::Application> application =
          std::exchange(interrupted_, true) ? nullptr : lend(application_);
      lock.unlock();
      if (application != nullptr) {
        application->interrupt();
        application = nullptr;
      }
      add(wait());
      lock.lock();
    } else if (state_ == State::Activated) {
      state_ = State::Deinitializing;
      lock.unlock();
      add(end_application());
      lock.lock();
      state_ = State::Origin;
      changed_.notify_all();
    } else {
      changed_.wait(lock);
    }
  }
  return true;
}

// --- what it consists of

std::shared_ptr<const ProgramGraph> Program::graph() {
  {
    const std::lock_guard lock(mutex_);
    if (active_ != nullptr || loaded_ != nullptr) {
      return active_ != nullptr ? lend(active_) : loaded_;
    }
  }
  return std::make_shared<const ProgramGraph>(make({}));
}

std::shared_ptr<const ProgramTypes> Program::types() {
  Recipe recipe;
  {
    const std::lock_guard lock(mutex_);
    if (types_ != nullptr) {
      return types_;
    }
    recipe = recipe_;
  }
  if (recipe.loads.empty()) {
    recipe.loads.push_back({kTextName, kNoComponents, {}});
  }
  auto types = std::make_shared<const ProgramTypes>(make(recipe));
  const std::lock_guard lock(mutex_);
  types_ = types;
  return types;
}

const char* Program::keep(std::string_view text) {
  const std::lock_guard lock(kept_mutex_);
  const auto found = texts_.find(text);
  return found != texts_.end() ? found->c_str() : texts_.emplace(text).first->c_str();
}

// --- parameters

/// "entity/component/" as assignments name it; empty: they cannot.
std::string Program::name_for_settings(const ProgramGraph& graph,
                                       const ProgramGraph::Place& place) {
  const gxr::ComponentInfo& component = *place.component;
  const auto is_alike = [&](const gxr::ComponentInfo& other) {
    return component.name.empty() ? other.type == component.type : other.name == component.name;
  };
  std::ptrdiff_t alike = 0;
  const bool is_nameless = ProgramGraph::is_nameless(*place.entity);
  for (const gxr::EntityInfo& entity : graph.entities()) {
    // "/component/" means those of all entities without a name.
    if (&entity == place.entity || (is_nameless && ProgramGraph::is_nameless(entity))) {
      alike += std::count_if(entity.components.begin(), entity.components.end(), is_alike);
    }
  }
  return alike != 1 ? std::string()
                    : (is_nameless ? std::string() : place.entity->name) + "/" +
                          (component.name.empty() ? component.type_name : component.name) + "/";
}

std::string Program::name_of_component(gxf_uid_t cid) {
  const std::shared_ptr<const ProgramGraph> graph = this->graph();
  const ProgramGraph::Place place = graph->component(cid);
  return place.component == nullptr || place.component->name.empty() ||
                 ProgramGraph::is_nameless(*place.entity)
             ? std::string()
             : place.entity->name + "/" + place.component->name;
}

gxf_result_t Program::set(gxf_uid_t cid, const char* key, Setting setting) {
  const std::shared_ptr<const ProgramGraph> graph = this->graph();
  const gxr::ParameterSetting* parameter = nullptr;
  if (const gxf_result_t code = graph->find_parameter(cid, key, parameter); code != GXF_SUCCESS) {
    return code;
  }
  if (!setting.fits(parameter->info->type)) {
    return GXF_PARAMETER_INVALID_TYPE;
  }
  const std::string name = name_for_settings(*graph, graph->component(cid));
  if (name.empty()) {
    GXF_LOG_ERROR(
        "parameter '%s' cannot be set: its component or its entity has no name, and others are "
        "like it",
        key);
    return GXF_NOT_IMPLEMENTED;
  }
  setting.set_name(name + key + "=");
  const std::uint64_t swaps_before = swaps_of(cid, key);
  std::shared_ptr<gxr::Application> running;
  {
    const std::lock_guard lock(mutex_);
    const bool is_active = state_ == State::Activated || state_ == State::Running;
    if (is_active) {
      running = has_run_ ? nullptr : lend(application_);
    }
    // Another thread makes the components, which get the value when they are there.
    const bool is_late = state_ == State::Activating && parameter->info->dynamic;
    if (is_late) {
      late_.push_back(setting.assignment());
    }
    if (is_late || (running == nullptr && state_ != State::Activating)) {
      settings_.insert_or_assign(name + key, Given{std::move(setting), is_active || is_late,
                                                   is_active ? swaps_before : 0});
      return GXF_SUCCESS;
    }
  }
  if (!parameter->info->dynamic) {
    GXF_LOG_ERROR("parameter '%s%s' cannot be changed while the graph is active", name.c_str(),
                  key);
    return GXF_PARAMETER_CAN_NOT_MODIFY_CONSTANT;
  }
  try {
    running->set(setting.assignment());
  } catch (const gxr::Error& error) {
    if (error.code() != gxr::ErrorCode::InvalidState) {
      GXF_LOG_ERROR("%s", error.message().c_str());
    }
    switch (error.code()) {
      case gxr::ErrorCode::NotFound:
        return GXF_PARAMETER_NOT_FOUND;
      case gxr::ErrorCode::InvalidParameter:
      case gxr::ErrorCode::OutOfRange:
        return GXF_PARAMETER_OUT_OF_RANGE;
      case gxr::ErrorCode::NotSupported:
        return GXF_PARAMETER_CAN_NOT_MODIFY_CONSTANT;
      case gxr::ErrorCode::InvalidState:
        break;  // the run has ended meanwhile: the next one has the value
      default:
        return code_of(error);
    }
  }
  // Only now, so that the swap of an earlier value does not count for this one; should this one
  // have been swapped in already, get() finds that it is the value.
  const std::uint64_t swaps = swaps_of(cid, key);
  const std::lock_guard lock(mutex_);
  settings_.insert_or_assign(name + key, Given{std::move(setting), true, swaps});
  return GXF_SUCCESS;
}

/// The parameter of a component that stays as long as the caller uses the context; nullptr: there
/// is none.
const ParameterSlot* Program::slot_of_active(gxf_uid_t cid, const char* key) {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != State::Activated && state_ != State::Running) {
      return nullptr;
    }
  }
  auto* const adapter = dynamic_cast<Adapter*>(context_.component(cid));
  return adapter != nullptr ? adapter->parameter(key) : nullptr;
}

/// How often the parameter got another value between two ticks.
std::uint64_t Program::swaps_of(gxf_uid_t cid, const char* key) {
  const std::shared_lock use(context_.use());
  const ParameterSlot* const slot = slot_of_active(cid, key);
  return slot != nullptr ? slot->swaps() : 0;
}

gxf_result_t Program::get_handle(gxf_uid_t cid, const char* key, gxf_uid_t& target) {
  const std::shared_ptr<const ProgramGraph> graph = this->graph();
  const gxr::ParameterSetting* parameter = nullptr;
  if (const gxf_result_t code = graph->find_parameter(cid, key, parameter); code != GXF_SUCCESS) {
    return code;
  }
  if (parameter->info->type.kind != gxr::ParameterType::Kind::Handle) {
    return GXF_PARAMETER_INVALID_TYPE;
  }
  {
    const std::lock_guard lock(mutex_);
    const auto known = settings_.find(name_for_settings(*graph, graph->component(cid)) + key);
    if (known != settings_.end()) {
      const std::optional<std::string> named = known->second.setting.component();
      return named ? graph->find_component(*named, target) : GXF_PARAMETER_INVALID_TYPE;
    }
  }
  if (parameter->handles.empty()) {
    return GXF_PARAMETER_NOT_INITIALIZED;
  }
  const std::uint32_t id = parameter->handles.front();
  target = id == gxr::ParameterSetting::kNoComponent ? kUnspecifiedUid
                                                     : Context::component_number_of(id);
  return GXF_SUCCESS;
}

}  // namespace nvidia::gxf::layer
