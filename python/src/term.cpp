#include "term.hpp"

#include <utility>

#include <nanobind/stl/string.h>

#include "failure.hpp"
#include "gil.hpp"

namespace gxr::python {
namespace {

using TermView = View<PythonTerm>;

/// Comparisons of NumPy give its own type, which is `bool` or, before NumPy 2, `bool_`.
bool is_bool(nb::handle given) {
  if (nb::isinstance<nb::bool_>(given)) {
    return true;
  }
  const auto name = nb::cast<std::string>(given.type().attr("__name__"));
  return name == "bool" || name == "bool_";
}

/// The answer of check(): a bool of Python or NumPy, or a gxr.Condition.
Condition condition_of(nb::handle given, std::int64_t poll) {
  const auto not_yet = [&] {
    return Condition{poll > 0 ? ConditionType::Wait : ConditionType::WaitEvent};
  };
  if (is_bool(given)) {
    return nb::cast<bool>(nb::bool_(given)) ? Condition{ConditionType::Ready} : not_yet();
  }
  if (nb::isinstance(given, nb::module_::import_("gxr._term").attr("Condition"))) {
    const auto name = nb::cast<std::string>(given.attr("name"));
    if (name == "at") {
      return {ConditionType::WaitTime, nb::cast<std::int64_t>(given.attr("time"))};
    }
    return name == "never" ? Condition{ConditionType::Never} : not_yet();
  }
  throw Error(ErrorCode::InvalidArgument,
              "check() of a term returns True, False, gxr.NEVER or gxr.at(time), not " +
                  nb::cast<std::string>(nb::repr(given)));
}

nb::object call(const nb::object& method) { return method.is_valid() ? method() : nb::none(); }

}  // namespace

PythonTerm::PythonTerm(std::shared_ptr<const ComponentClass> type)
    : HasPythonObject(std::move(type)) {
  const Gil gil;
  try {
    calling_python([&] {
      object().make(*this);
      initialize_ = object().method("initialize");
      deinitialize_ = object().method("deinitialize");
      check_ = instance().attr("check");
      executed_ = object().method("executed");
      explain_ = object().method("explain");
      poll_ = nb::cast<std::int64_t>(nb::module_::import_("gxr._term").attr("poll_of")(instance()));
    });
  } catch (...) {
    let_go();  // while Python's lock is held
    throw;
  }
}

PythonTerm::~PythonTerm() {
  const Gil gil;
  let_go();
}

void PythonTerm::let_go() noexcept {
  for (nb::object* const method : {&initialize_, &deinitialize_, &check_, &executed_, &explain_}) {
    method->reset();
  }
  object().let_go();
}

void PythonTerm::declare(Interface& interface) {
  for (const ParameterInfo& info : object().type().info.parameters) {
    object().declare(interface, info);
  }
}

void PythonTerm::initialize() {
  const Gil gil;
  calling_python([&] {
    object().set_attributes();
    call(initialize_);
  });
}

void PythonTerm::deinitialize() {
  const Gil gil;
  calling_python([&] { call(deinitialize_); });
  let_go();
}

Condition PythonTerm::check(std::int64_t now) {
  const Gil gil;
  return calling_python([&] {
    object().set_attributes();
    return condition_of(check_(now), poll_);
  });
}

void PythonTerm::on_execute(std::int64_t now) {
  if (executed_.is_valid()) {
    const Gil gil;
    calling_python([&] { executed_(now); });
  }
}

void PythonTerm::events(TermEvents& events) {
  events.notification();
  if (poll_ > 0) {
    events.poll(poll_);
  }
}

std::string PythonTerm::explain() const {
  if (!explain_.is_valid()) {
    return SchedulingTerm::explain();
  }
  const Gil gil;
  try {
    return calling_python([&] { return nb::cast<std::string>(nb::str(explain_())); });
  } catch (const Error& error) {  // of a question about the run, which it must not end
    return "explain() fails: " + error.message();
  }
}

// --- what Python sees --------------------------------------------------------------------------

void bind_term(nb::module_& module) {
  nb::class_<TermView>(module, "SchedulingTerm")
      .def("notify",
           [](const TermView& view) {
             PythonTerm& term = view.get();
             const WithoutGil without;  // a thread that asks the term may wait for it
             term.notify();
           })
      .def_prop_ro("name", [](const TermView& view) { return view.get().full_name(); })
      .def_prop_ro("entity", [](const TermView& view) { return view.get().entity_name(); });
}

}  // namespace gxr::python
