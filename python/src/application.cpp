#include "application.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "failure.hpp"
#include "gil.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"
#include "message.hpp"
#include "observe/status_text.hpp"
#include "operator.hpp"
#include "provider.hpp"
#include "signals.hpp"
#include "waker.hpp"

namespace gxr::python {
namespace {

using std::chrono::nanoseconds;

/// So often a call that waits looks for signals.
constexpr std::chrono::milliseconds kSlice{50};

/// The key of Holders::of(); null before components are made, and where there are none.
const Context* context_of(Application& application) noexcept {
  try {
    for (const EntityInfo& entity : application.entities()) {
      for (const ComponentInfo& component : entity.components) {
        if (const Component* const made = application.component(component.id)) {
          return &made->context();
        }
      }
    }
  } catch (const std::exception&) {  // there are no components yet
  }
  return nullptr;
}

/// The run of an application, which several threads may wait for.
class Run {
 public:
  explicit Run(Application& application)
      : application_(application), thread_([this] { run_to_end(); }) {}
  ~Run() { join(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] Application& application() const noexcept { return application_; }
  /// Until it has ended; false when time is over. Without Python's lock.
  bool wait(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return done_; });
  }
  /// The same until all components are made, so that the program can push messages.
  bool wait_for_begin(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return begun_ || done_; });
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  /// Until its thread has ended, too, which gives back what it has of the interpreter.
  void join() {
    const std::lock_guard lock(joining_);
    if (thread_.joinable()) {
      thread_.join();
    }
  }
  [[nodiscard]] bool is_done() {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  /// For its end.
  std::shared_ptr<Waker> waker() { return wakers_.make(); }
  /// When it is done: the report, or throws what the engine threw.
  [[nodiscard]] const Report& report() {
    const std::lock_guard lock(mutex_);
    if (exception_) {
      std::rethrow_exception(exception_);
    }
    return *report_;
  }

 private:
  /// The components are made by prepare(), since only then component() knows them.
  Report run_application() {
    try {
      application_.prepare();
    } catch (const Error&) {
      std::optional<Report> report = report_of_prepared();
      if (!report || report->failures.empty()) {
        throw;
      }
      return std::move(*report);
    }
    application_.run_async();
    {
      const std::lock_guard lock(mutex_);
      begun_ = true;
      changed_.notify_all();
    }
    return application_.wait();
  }

  /// Nothing when there are no components, because the plan has mistakes.
  std::optional<Report> report_of_prepared() {
    try {
      return application_.finish();
    } catch (const Error&) {
      return {};
    }
  }

  void run_to_end() {
    std::optional<Report> report;
    std::exception_ptr exception;
    try {
      report = run_application();
    } catch (...) {
      exception = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
    exception_ = exception;
    done_ = true;
    changed_.notify_all();
    wakers_.wake();
  }

  Application& application_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Report> report_;
  std::exception_ptr exception_;
  bool begun_ = false;
  bool done_ = false;
  Wakers wakers_;
  std::mutex joining_;
  std::thread thread_;  // last: it uses the others
};

/// An application with its run, as an object of Python owns them.
struct Owned {
  std::unique_ptr<Application> application = std::make_unique<Application>();
  std::unique_ptr<Run> run;
  Holders holders;  // once there are components
};

/// Applications that Python has let go while it still has messages of them.
std::vector<Owned>& graveyard() {
  static auto* const applications = new std::vector<Owned>;
  return *applications;
}

void destroy_all(std::vector<Owned>& gone) {
  const WithoutGil without;
  gone.clear();
}

void empty_graveyard() {
  std::vector<Owned> gone;
  std::erase_if(graveyard(), [&](Owned& owned) {
    const bool goes = owned.holders.count() == 0;
    if (goes) {
      gone.push_back(std::move(owned));
    }
    return goes;
  });
  destroy_all(gone);
}

/// The end of an application; its run ends first.
void destroy(Owned owned) {
  if (owned.run != nullptr) {
    const WithoutGil without;
    owned.application->interrupt();
    owned.run.reset();
  }
  forget_exceptions();  // their frames hold operators and messages
  if (owned.holders.count() != 0) {
    graveyard().push_back(std::move(owned));
    return;
  }
  std::vector<Owned> gone;
  gone.push_back(std::move(owned));
  destroy_all(gone);
}

/// Runs that go on, for the end of the interpreter.
std::vector<Run*>& runs() {
  static auto* const runs = new std::vector<Run*>;
  return *runs;
}

/// A call in which a thread waits without Python's lock, and takes it again.
class WaitingCall {
 public:
  WaitingCall() noexcept { ++count_; }
  ~WaitingCall() { --count_; }
  WaitingCall(const WaitingCall&) = delete;
  WaitingCall& operator=(const WaitingCall&) = delete;

  [[nodiscard]] static int count() noexcept { return count_; }

 private:
  static inline int count_ = 0;  // under Python's lock
};

/// At the end of the interpreter, which the threads of runs must not outlive; and daemon threads
/// must not wait for its lock in this module.
void end_all_runs() {
  const std::vector<Run*> running = runs();
  {
    const WithoutGil without;
    for (Run* const run : running) {
      run->application().interrupt();
    }
    for (Run* const run : running) {
      run->join();
    }
  }
  constexpr int kPatience = 2000;
  for (int i = 0; i < kPatience && WaitingCall::count() > 0; ++i) {
    const WithoutGil without;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

nanoseconds timeout_of(const std::optional<double>& seconds) {
  constexpr double kLongest = 1e9;  // 30 years
  if (!seconds || *seconds > kLongest) {
    return kNoTimeout;
  }
  return nanoseconds(static_cast<std::int64_t>(std::max(*seconds, 0.0) * 1e9));
}

/// The end of the time of a call.
class Deadline {
 public:
  explicit Deadline(nanoseconds timeout)
      : endless_(timeout == kNoTimeout),
        end_(std::chrono::steady_clock::now() + (endless_ ? nanoseconds::zero() : timeout)) {}

  /// How long to wait before signals are looked for.
  [[nodiscard]] nanoseconds slice() const {
    const nanoseconds left = end_ - std::chrono::steady_clock::now();
    return endless_ ? nanoseconds(kSlice)
                    : std::clamp<nanoseconds>(left, nanoseconds::zero(), kSlice);
  }
  [[nodiscard]] bool is_over() const {
    return !endless_ && std::chrono::steady_clock::now() >= end_;
  }

 private:
  bool endless_;
  std::chrono::steady_clock::time_point end_;
};

/// An input into which a program pushes messages.
class Input {
 public:
  /// There is room, or the end. Called by the engine, on any thread.
  void change() {
    {
      const std::lock_guard lock(changes_mutex_);
      ++changes_;
    }
    changed_.notify_all();
    wakers_.wake();
  }
  [[nodiscard]] std::uint64_t changes() {
    const std::lock_guard lock(changes_mutex_);
    return changes_;
  }
  /// Until there were more changes than so many, or time is over.
  void wait_for_change(std::uint64_t known, nanoseconds time) {
    std::unique_lock lock(changes_mutex_);
    changed_.wait_for(lock, time, [&] { return changes_ != known; });
  }
  std::shared_ptr<Waker> waker() { return wakers_.make(); }

  /// Calls the function with the number of the next message; the number counts when it is taken.
  template <class Push>
  PushResult push_numbered(Push&& push) {
    const std::lock_guard lock(numbers_mutex_);
    const PushResult result = std::forward<Push>(push)(next_);
    if (result == PushResult::Taken) {
      ++next_;
    }
    return result;
  }

 private:
  std::mutex changes_mutex_;
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  Wakers wakers_;
  std::mutex numbers_mutex_;  // held for a push: numbers rise in the queue
  std::uint64_t next_ = 0;
};

/// An application of Python.
class PythonApplication {
 public:
  PythonApplication() = default;
  ~PythonApplication() {
    forget_run();
    if (is_own_tick()) {
      // The last reference goes in a tick of the application itself, whose end it cannot wait for.
      std::thread([owned = std::make_shared<Owned>(std::move(owned_))]() mutable {
        const Gil gil;
        destroy(std::move(*owned));
      }).detach();
      return;
    }
    destroy(std::move(owned_));
  }
  PythonApplication(const PythonApplication&) = delete;
  PythonApplication& operator=(const PythonApplication&) = delete;

  [[nodiscard]] Application& get() const { return *owned_.application; }
  /// The count of Python objects that hold its messages.
  const Holders& holders() {
    if (!knows_holders_) {
      if (const Context* const context = context_of(get())) {
        owned_.holders = Holders::of(context);
        knows_holders_ = true;
      }
    }
    return owned_.holders;
  }

  void begin() {
    if (owned_.run != nullptr) {
      throw Error(ErrorCode::InvalidState, "an application runs once: make another one");
    }
    owned_.run = std::make_unique<Run>(get());
    runs().push_back(owned_.run.get());
    const WaitingCall waiting;
    std::optional<nb::python_error> raised;
    for (bool begun = false; !begun;) {
      {
        const WithoutGil without;
        begun = owned_.run->wait_for_begin(kSlice);
      }
      interrupt_on_signal(raised);
    }
    if (raised) {
      wait_for_end(raised);
      throw nb::python_error(std::move(*raised));
    }
  }

  /// Waits for the end. A signal handler that raises, as that of Ctrl-C does, ends the run in
  /// order, and what it raised comes behind that; a second one comes at once.
  const Report& wait() {
    require_started();
    std::optional<nb::python_error> raised;
    wait_for_end(raised);
    if (raised) {
      throw nb::python_error(std::move(*raised));
    }
    return owned_.run->report();
  }

  /// Until the end, at most so many seconds; false when it still runs. Signals raise from here.
  bool wait_for(double seconds) {
    require_started();
    const Deadline deadline(timeout_of(seconds));
    const WaitingCall waiting;
    for (;;) {
      bool done = false;
      {
        const WithoutGil without;
        done = owned_.run->wait(
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline.slice()));
      }
      look_for_signals();
      if (done || deadline.is_over()) {
        return done;
      }
    }
  }
  /// Seconds since the begin, the executor, and (name, ticks, state) of each entity; or None.
  nb::object status(double seconds) {
    if (is_own_tick()) {
      throw Error(ErrorCode::InvalidState, "a tick cannot ask for the status of its own run");
    }
    std::optional<RunStatus> found;
    {
      const WithoutGil without;
      found =
          get().status(std::chrono::duration_cast<std::chrono::milliseconds>(timeout_of(seconds)));
    }
    if (!found || owned_.run == nullptr) {
      return nb::none();
    }
    nb::list entities;
    for (const EntityStatus& each : found->entities) {
      entities.append(nb::make_tuple(each.entity, each.ticks, state_text(each)));
    }
    return nb::make_tuple(owned_.run->seconds(), found->executor, entities);
  }

  [[nodiscard]] bool is_running() { return owned_.run != nullptr && !owned_.run->is_done(); }
  [[nodiscard]] bool was_started() const noexcept { return owned_.run != nullptr; }

  void types(std::string name, const nb::list& declarations) {
    get().types(provider_of(std::move(name), declarations, classes_));
  }

  /// For Python's collector: a class of the program may refer to the application that has it.
  int traverse(visitproc visit, void* arg) const {
    for (const std::shared_ptr<ComponentClass>& each : classes_) {
      if (const int result = each->traverse(visit, arg); result != 0) {
        return result;
      }
    }
    return 0;
  }
  /// While a run goes on, it uses the classes; the collector comes again.
  void clear() noexcept {
    if (owned_.run != nullptr && !owned_.run->is_done()) {
      return;
    }
    for (const std::shared_ptr<ComponentClass>& each : classes_) {
      each->clear();
    }
  }

  void input(const std::string& port, std::size_t capacity) {
    auto made = std::make_shared<Input>();
    get().input(port, {capacity, [made] { made->change(); }});
    inputs_.insert_or_assign(port, std::move(made));
  }
  /// For room in an input.
  std::shared_ptr<Waker> waker_of_input(const std::string& port) {
    const auto found = inputs_.find(port);
    return found == inputs_.end() ? std::make_shared<Waker>() : found->second->waker();
  }
  /// For the end of the run.
  std::shared_ptr<Waker> waker_of_end() {
    require_started();
    return owned_.run->waker();
  }

  /// Null when the run has ended.
  Message message_of(nb::handle value, std::string_view type) {
    if (const MessageView* const view = as_message(value)) {
      return view->message;
    }
    Message message = new_message_of_run();
    if (message) {
      add_part(message, value, {}, type);
    }
    return message;
  }
  /// `numbered`: the message gets the next number of the input; one that the program has made
  /// keeps its own.
  PushResult push(const std::string& port, nb::handle value, const std::optional<double>& seconds,
                  std::string_view type, bool numbered) {
    Message message = message_of(value, type);
    if (!message) {
      return PushResult::Ended;
    }
    const auto found = inputs_.find(port);
    Input* const input = found == inputs_.end() ? nullptr : found->second.get();
    const Deadline deadline(timeout_of(seconds));
    const WaitingCall waiting;
    for (;;) {
      PushResult result{};
      {
        const WithoutGil without;
        const std::uint64_t changes = input != nullptr ? input->changes() : 0;
        result = try_push(port, input, message, numbered);
        if (result == PushResult::TimedOut && !deadline.is_over()) {
          input->wait_for_change(changes, deadline.slice());
        }
      }
      if (result != PushResult::TimedOut || deadline.is_over()) {
        return result;
      }
      look_for_signals();
    }
  }

 private:
  /// Null when the run has ended, also one that failed before it began.
  Message new_message_of_run() {
    try {
      return get().new_message();
    } catch (const Error& error) {
      if (was_started() && error.code() == ErrorCode::InvalidState) {
        return {};
      }
      throw;
    }
  }

  /// Once, without waiting; the message stays unless it is taken. Throws without an input.
  PushResult try_push(const std::string& port, Input* input, Message& message, bool numbered) {
    if (input == nullptr || !numbered) {
      return get().push(port, std::move(message), nanoseconds::zero());
    }
    return input->push_numbered([&](std::uint64_t number) {
      if (message.sequence() != number) {
        message.set_sequence(number);
      }
      return get().push(port, std::move(message), nanoseconds::zero());
    });
  }

  /// For whoever waits for the end.
  void require_started() {
    if (is_own_tick()) {
      throw Error(ErrorCode::InvalidState, "a tick cannot wait for the end of its own run");
    }
    if (owned_.run == nullptr) {
      throw Error(ErrorCode::InvalidState, "the application was not started");
    }
  }
  void wait_for_end(std::optional<nb::python_error>& raised) {
    const WaitingCall waiting;
    for (bool done = false; !done;) {
      {
        const WithoutGil without;
        done = owned_.run->wait(kSlice);
      }
      interrupt_on_signal(raised);
    }
    {
      const WithoutGil without;
      owned_.run->join();
    }
    forget_run();
    static_cast<void>(holders());
  }
  /// A signal handler that raises ends the run; the second time, it raises from here.
  void interrupt_on_signal(std::optional<nb::python_error>& raised) {
    try {
      look_for_signals();
    } catch (nb::python_error& error) {
      if (raised) {
        throw;
      }
      raised.emplace(std::move(error));
      get().interrupt();
    }
  }
  void forget_run() { std::erase(runs(), owned_.run.get()); }
  /// Is the calling thread in a method of one of its operators?
  [[nodiscard]] bool is_own_tick() {
    const PythonOperator* const caller = PythonOperator::of_this_thread();
    return caller != nullptr && &caller->context() == context_of(get());
  }

  Owned owned_;
  bool knows_holders_ = false;
  std::vector<std::shared_ptr<ComponentClass>> classes_;  // the engine has them, too
  std::map<std::string, std::shared_ptr<Input>> inputs_;  // by the name of the port
};

/// A tap of a transmitter for Python. It keeps the application, whose Python object is
/// `application`.
class PythonTap {
 public:
  PythonTap(nb::object application, const std::string& port, TapOptions options, Content content)
      : object_(std::move(application)),
        application_(nb::cast<PythonApplication*>(object_)),
        content_(content) {
    options.on_change = [wakers = wakers_] { wakers->wake(); };
    tap_ = application_->get().tap(port, options);
  }
  ~PythonTap() {
    const WithoutGil without;
    tap_ = {};
  }
  PythonTap(const PythonTap&) = delete;
  PythonTap& operator=(const PythonTap&) = delete;

  /// The oldest message; None when time is over or no more come.
  nb::object take(const std::optional<double>& seconds) {
    Message message = tap_.try_take();
    const Deadline deadline(timeout_of(seconds));
    const WaitingCall waiting_call;
    while (!message) {
      if (tap_.ended() || deadline.is_over()) {
        return nb::none();
      }
      {
        const WithoutGil without;
        message = tap_.take(deadline.slice());
      }
      look_for_signals();
    }
    return from_message(std::move(message), content_, application_->holders());
  }
  [[nodiscard]] std::size_t waiting() const { return tap_.waiting(); }
  [[nodiscard]] bool ended() const { return tap_.ended(); }
  /// For Python's collector.
  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(object_.ptr());
    return 0;
  }
  void clear() noexcept {}  // it needs its application; a class lets go of the cycle
  /// For a message, and for the end.
  [[nodiscard]] std::shared_ptr<Waker> waker() const { return wakers_->make(); }

 private:
  nb::object object_;
  PythonApplication* application_;
  std::shared_ptr<Wakers> wakers_ = std::make_shared<Wakers>();
  Tap tap_;
  Content content_;
};

/// The functions of objects of T for Python's collector.
template <class T>
std::array<PyType_Slot, 3> slots_of() {
  const traverseproc traverse = [](PyObject* self, visitproc visit, void* arg) -> int {
    Py_VISIT(Py_TYPE(self));
    return nb::inst_ready(self) ? nb::inst_ptr<T>(self)->traverse(visit, arg) : 0;
  };
  const inquiry clear = [](PyObject* self) -> int {
    if (nb::inst_ready(self)) {
      nb::inst_ptr<T>(self)->clear();
    }
    return 0;
  };
  return {{{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
           {Py_tp_clear, reinterpret_cast<void*>(clear)},
           {0, nullptr}}};
}

Content content_named(const std::string& name) {
  for (const auto& [known, content] :
       {std::pair{"auto", Content::Auto}, std::pair{"tensor", Content::Tensor},
        std::pair{"value", Content::Value}, std::pair{"message", Content::Message},
        std::pair{"picture", Content::Picture}, std::pair{"sound", Content::Sound}}) {
    if (name == known) {
      return content;
    }
  }
  throw Error(ErrorCode::InvalidArgument,
              "there is no content '" + name + "': auto, tensor, value, picture, sound or message");
}

nb::tuple tuple_of(const Problem& problem) {
  return nb::make_tuple(problem.is_error, problem.code, problem.text, problem.hint, problem.file,
                        problem.line, problem.column);
}

nb::list list_of(const std::vector<Problem>& problems) {
  nb::list list;
  for (const Problem& problem : problems) {
    list.append(tuple_of(problem));
  }
  return list;
}

nb::object tuple_of(const Failure& failure) {
  return nb::make_tuple(failure.entity, failure.component, failure.type, failure.method,
                        failure.text, to_string(failure.code));
}

nb::object tuple_of(const SwapResult& result) {
  return nb::make_tuple(
      result.component, result.old_type, result.new_type, result.is_kept, result.took_over_state,
      result.failure ? tuple_of(*result.failure) : nb::none(), result.lost, result.pause_ns);
}

nb::object tuple_of(const std::optional<NearestMiss>& miss) {
  if (!miss) {
    return nb::none();
  }
  return nb::make_tuple(miss->distance_ns, miss->threshold, miss->threshold_ns);
}

nb::object tuple_of(const std::optional<VerifiedResults>& verified) {
  if (!verified) {
    return nb::none();
  }
  return nb::make_tuple(verified->results, verified->operators, verified->graphs_left_out);
}

nb::dict dict_of(const Report& report) {
  nb::dict made;
  made["reason"] = to_string(report.reason);
  made["detail"] = report.detail;
  made["by_signal"] = report.by_signal;
  made["duration_ns"] = report.duration_ns;
  made["ran"] = report.ran;
  made["measured"] = report.measured;
  nb::list failures;
  for (const Failure& failure : report.failures) {
    failures.append(tuple_of(failure));
  }
  made["failures"] = failures;
  nb::list waiting;
  for (const WaitingEntity& entity : report.waiting) {
    waiting.append(nb::make_tuple(entity.entity, entity.reasons));
  }
  made["waiting"] = waiting;
  nb::list unread;
  for (const UnreadMessages& messages : report.unread) {
    unread.append(nb::make_tuple(messages.queue, messages.count));
  }
  made["unread"] = unread;
  nb::list dropped;
  for (const DroppedMessages& messages : report.dropped) {
    dropped.append(nb::make_tuple(messages.queue, messages.count));
  }
  made["dropped"] = dropped;
  nb::list entities;
  for (const EntityStatistics& entity : report.entities) {
    entities.append(nb::make_tuple(entity.entity, entity.codelet_type, entity.ticks,
                                   entity.total_ns, entity.longest_ns, entity.device_ticks,
                                   entity.device_total_ns, entity.device_longest_ns));
  }
  made["entities"] = entities;
  nb::list graphs;
  for (const GraphStatistics& graph : report.graphs) {
    graphs.append(nb::make_tuple(graph.region, graph.loops, graph.iterations, graph.duration_ns,
                                 graph.memory_bytes, graph.instantiations, graph.device, graph.late,
                                 graph.late_inputs, graph.left_out, graph.captures_checked));
  }
  made["graphs"] = graphs;
  nb::list discarded;
  for (const DiscardedMessages& messages : report.discarded) {
    const Discard& discard = messages.discard;
    discarded.append(nb::make_tuple(messages.component, discard.count, discard.of, discard.reason,
                                    tuple_of(discard.nearest_miss)));
  }
  made["discarded"] = discarded;
  made["verified"] = tuple_of(report.verified);
  return made;
}

}  // namespace

void bind_application(nb::module_& module) {
  Holders::on_none(&empty_graveyard);
  module.def("end_all_runs", &end_all_runs);
  nb::class_<PythonTap>(module, "Tap", nb::type_slots(slots_of<PythonTap>().data()))
      .def("take", &PythonTap::take, nb::arg("timeout") = nb::none())
      .def_prop_ro("waiting", &PythonTap::waiting)
      .def_prop_ro("ended", &PythonTap::ended)
      .def("waker", &PythonTap::waker);
  using App = PythonApplication;
  nb::class_<App>(module, "Application", nb::type_slots(slots_of<App>().data()))
      .def(nb::init<>())
      .def("load", [](App& self, const std::string& path) { self.get().load(path); })
      .def("load_text",
           [](App& self, std::string text, std::string name) {
             self.get().load_text(std::move(text), std::move(name));
           })
      .def("root", [](App& self, std::string folder) { self.get().root(std::move(folder)); })
      .def("manifest", [](App& self, const std::string& path) { self.get().manifest(path); })
      .def("extension", [](App& self, const std::string& file) { self.get().extension(file); })
      .def("types", &App::types)
      .def("set",
           [](App& self, const std::vector<std::string>& assignments) {
             const WithoutGil without;
             self.get().set_all(assignments);
           })
      .def("enable",
           [](App& self, std::string_view entity, bool on) {
             const WithoutGil without;
             self.get().enable(entity, on);
           })
      .def("swap",
           [](App& self, std::string_view name, std::string_view type, std::string extension,
              std::int64_t keep_for_ns, std::int64_t patience_ns) {
             const SwapOptions options{std::move(extension), nanoseconds(keep_for_ns),
                                       nanoseconds(patience_ns)};
             return tuple_of(interruptible([&] { return self.get().swap(name, type, options); }));
           })
      .def("parameter_file",
           [](App& self, const std::string& path) { self.get().parameter_file(path); })
      .def("executor", [](App& self, std::string name) { self.get().executor(std::move(name)); })
      .def("device", [](App& self, std::string_view choice) { self.get().device(choice); })
      .def("compat_gxf", [](App& self, bool on) { self.get().compat_gxf(on); })
      .def("verify", [](App& self, bool on) { self.get().verify(on); })
      .def("measure", [](App& self, bool on) { self.get().measure(on); })
      .def("trace", [](App& self, std::string path) { self.get().trace(std::move(path)); })
      .def("input", &App::input)
      .def("tap",
           [](nb::object self, const std::string& port, std::size_t capacity, bool drop_oldest,
              const std::string& content) {
             TapOptions options;
             options.capacity = capacity;
             options.policy = drop_oldest ? TapPolicy::DropOldest : TapPolicy::Wait;
             return std::make_unique<PythonTap>(std::move(self), port, std::move(options),
                                                content_named(content));
           })
      .def("resident_graph",
           [](App& self, std::string_view name) { return self.get().resident_graph(name); })
      .def("validate",
           [](App& self) { return interruptible([&] { return self.get().validate(); }); })
      .def("problems",
           [](App& self) {
             interruptible([&] { return self.get().validate(); });
             return list_of(self.get().problems());
           })
      .def("problems_text",
           [](App& self) { return interruptible([&] { return self.get().problems_text(); }); })
      .def("plan", [](App& self) { return interruptible([&] { return self.get().plan(); }); })
      .def("graph",
           [](App& self, const std::string& format, bool details, bool regions) {
             return interruptible([&] { return self.get().graph({format, details, regions}); });
           })
      .def("status", &App::status)
      .def("begin", &App::begin)
      .def("wait_for", &App::wait_for)
      .def("wait", [](App& self) { return dict_of(self.wait()); })
      .def_prop_ro("is_running", &App::is_running)
      .def_prop_ro("was_started", &App::was_started)
      .def("interrupt", [](App& self) { self.get().interrupt(); })
      .def("new_message",
           [](App& self) {
             Message message = self.get().new_message();
             return std::make_unique<MessageView>(std::move(message), self.holders());
           })
      .def("push",
           [](App& self, const std::string& port, nb::handle value,
              const std::optional<double>& timeout, std::string_view type, bool numbered) {
             return static_cast<int>(self.push(port, value, timeout, type, numbered));
           })
      .def("message_of",
           [](App& self, nb::handle value, std::string_view type) {
             Message message = self.message_of(value, type);
             return message ? std::make_unique<MessageView>(std::move(message), self.holders())
                            : nullptr;
           })
      .def("waker_of_input", &App::waker_of_input)
      .def("waker_of_end", &App::waker_of_end)
      .def("end_input", [](App& self, std::string_view port) { self.get().end_input(port); });
}

}  // namespace gxr::python
