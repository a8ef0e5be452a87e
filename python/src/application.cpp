#include "application.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "failure.hpp"
#include "gil.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"
#include "message.hpp"
#include "provider.hpp"

namespace gxr::python {
namespace {

using std::chrono::nanoseconds;

/// So often a call that waits looks for signals.
constexpr std::chrono::milliseconds kSlice{50};

/// Applications that Python has let go while it still has messages of them.
std::vector<std::unique_ptr<Application>>& graveyard() {
  static auto* const applications = new std::vector<std::unique_ptr<Application>>;
  return *applications;
}

void empty_graveyard() {
  std::vector<std::unique_ptr<Application>> gone;
  gone.swap(graveyard());
  const WithoutGil without;
  gone.clear();
}

void destroy(std::unique_ptr<Application> application) {
  if (application == nullptr) {
    return;
  }
  if (LiveMessages::count() != 0) {
    graveyard().push_back(std::move(application));
    return;
  }
  const WithoutGil without;
  application.reset();
}

/// Raises what a signal handler of Python raised.
void look_for_signals() {
  if (PyErr_CheckSignals() != 0) {
    throw nb::python_error();
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

class PythonApplication;

/// What takes messages from a transmitter.
class PythonTap {
 public:
  PythonTap(Tap tap, Content content) : tap_(std::move(tap)), content_(content) {}
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
    return from_message(std::move(message), content_);
  }
  [[nodiscard]] std::size_t waiting() const { return tap_.waiting(); }
  [[nodiscard]] bool ended() const { return tap_.ended(); }

 private:
  Tap tap_;
  Content content_;
};

/// An application of Python.
class PythonApplication {
 public:
  PythonApplication() : application_(std::make_unique<Application>()) {}
  ~PythonApplication() {
    end();
    destroy(std::move(application_));
  }
  PythonApplication(const PythonApplication&) = delete;
  PythonApplication& operator=(const PythonApplication&) = delete;

  [[nodiscard]] Application& get() const { return *application_; }

  void begin() {
    const WithoutGil without;
    application_->run_async();
    running_ = true;
  }

  /// Waits for the end. A signal handler that raises, as that of Ctrl-C does, ends the run in
  /// order; what it raised comes behind that.
  Report wait() {
    struct Waiter {
      std::mutex mutex;
      std::condition_variable changed;
      std::optional<Report> report;
      std::exception_ptr exception;
      bool done = false;
    } waiter;
    std::thread thread([&] {
      std::optional<Report> report;
      std::exception_ptr exception;
      try {
        report = application_->wait();
      } catch (...) {
        exception = std::current_exception();
      }
      const std::lock_guard lock(waiter.mutex);
      waiter.report = std::move(report);
      waiter.exception = exception;
      waiter.done = true;
      waiter.changed.notify_all();
    });
    std::optional<nb::python_error> raised;
    for (bool done = false; !done;) {
      {
        const WithoutGil without;
        std::unique_lock lock(waiter.mutex);
        done = waiter.changed.wait_for(lock, kSlice, [&] { return waiter.done; });
      }
      try {
        look_for_signals();
      } catch (nb::python_error& error) {
        if (!raised) {
          raised.emplace(std::move(error));
        }
        application_->interrupt();
      }
    }
    {
      const WithoutGil without;
      thread.join();
    }
    running_ = false;
    if (raised) {
      throw nb::python_error(std::move(*raised));
    }
    if (waiter.exception) {
      std::rethrow_exception(waiter.exception);
    }
    return *std::move(waiter.report);
  }

  [[nodiscard]] bool is_running() const noexcept { return running_; }

  /// Ends what runs, without a word.
  void end() noexcept {
    if (!running_) {
      return;
    }
    const WithoutGil without;
    try {
      application_->interrupt();
      static_cast<void>(application_->wait());
    } catch (const std::exception&) {  // there is nobody to tell
    }
    running_ = false;
  }

  PushResult push(std::string_view port, nb::handle value, const std::optional<double>& seconds,
                  std::string_view type) {
    Message message;
    if (const MessageView* const view = as_message(value)) {
      message = view->message;
    } else {
      message = application_->new_message();
      if (!message) {
        return PushResult::Ended;
      }
      add_part(message, value, {}, type);
      message.set_sequence(pushed_++);
    }
    const Deadline deadline(timeout_of(seconds));
    for (;;) {
      PushResult result{};
      {
        const WithoutGil without;
        // NOLINTNEXTLINE(bugprone-use-after-move): the message is moved from only when it is taken
        result = application_->push(port, std::move(message), deadline.slice());
      }
      if (result != PushResult::TimedOut || deadline.is_over()) {
        return result;
      }
      look_for_signals();
    }
  }

 private:
  std::unique_ptr<Application> application_;
  std::uint64_t pushed_ = 0;
  bool running_ = false;
};

Content content_named(const std::string& name) {
  return name == "tensor"    ? Content::Tensor
         : name == "value"   ? Content::Value
         : name == "message" ? Content::Message
                             : Content::Auto;
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
    failures.append(nb::make_tuple(failure.entity, failure.component, failure.type, failure.method,
                                   failure.text, to_string(failure.code)));
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
                                   entity.total_ns, entity.longest_ns));
  }
  made["entities"] = entities;
  return made;
}

}  // namespace

void bind_application(nb::module_& module) {
  LiveMessages::on_none(&empty_graveyard);
  nb::class_<PythonTap>(module, "Tap")
      .def("take", &PythonTap::take, nb::arg("timeout") = nb::none())
      .def_prop_ro("waiting", &PythonTap::waiting)
      .def_prop_ro("ended", &PythonTap::ended);
  using App = PythonApplication;
  nb::class_<App>(module, "Application")
      .def(nb::init<>())
      .def("load", [](App& self, const std::string& path) { self.get().load(path); })
      .def("load_text",
           [](App& self, std::string text, std::string name) {
             self.get().load_text(std::move(text), std::move(name));
           })
      .def("root", [](App& self, std::string folder) { self.get().root(std::move(folder)); })
      .def("manifest", [](App& self, const std::string& path) { self.get().manifest(path); })
      .def("extension", [](App& self, const std::string& file) { self.get().extension(file); })
      .def("types",
           [](App& self, std::string name, const nb::list& declarations) {
             self.get().types(provider_of(std::move(name), declarations));
           })
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
      .def("parameter_file",
           [](App& self, const std::string& path) { self.get().parameter_file(path); })
      .def("executor", [](App& self, std::string name) { self.get().executor(std::move(name)); })
      .def("device", [](App& self, std::string_view choice) { self.get().device(choice); })
      .def("compat_gxf", [](App& self, bool on) { self.get().compat_gxf(on); })
      .def("verify", [](App& self, bool on) { self.get().verify(on); })
      .def("measure", [](App& self, bool on) { self.get().measure(on); })
      .def("trace", [](App& self, std::string path) { self.get().trace(std::move(path)); })
      .def("input", [](App& self, std::string_view port,
                       std::size_t capacity) { self.get().input(port, {capacity}); })
      .def("tap",
           [](App& self, std::string_view port, std::size_t capacity, bool drop_oldest,
              const std::string& content) {
             TapOptions options;
             options.capacity = capacity;
             options.policy = drop_oldest ? TapPolicy::DropOldest : TapPolicy::Wait;
             return std::make_unique<PythonTap>(self.get().tap(port, options),
                                                content_named(content));
           })
      .def("validate",
           [](App& self) {
             const WithoutGil without;
             return self.get().validate();
           })
      .def("problems",
           [](App& self) {
             {
               const WithoutGil without;
               self.get().validate();
             }
             return list_of(self.get().problems());
           })
      .def("problems_text",
           [](App& self) {
             const WithoutGil without;
             return self.get().problems_text();
           })
      .def("plan",
           [](App& self) {
             const WithoutGil without;
             return self.get().plan();
           })
      .def("begin", &App::begin)
      .def("wait", [](App& self) { return dict_of(self.wait()); })
      .def_prop_ro("is_running", &App::is_running)
      .def("interrupt", [](App& self) { self.get().interrupt(); })
      .def("end", &App::end)
      .def("new_message", [](App& self) { return MessageView(self.get().new_message()); })
      .def("push",
           [](App& self, std::string_view port, nb::handle value,
              const std::optional<double>& timeout, std::string_view type) {
             return static_cast<int>(self.push(port, value, timeout, type));
           })
      .def("end_input", [](App& self, std::string_view port) { self.get().end_input(port); });
}

}  // namespace gxr::python
