#include "operator.hpp"

#include <algorithm>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include "failure.hpp"
#include "gil.hpp"

namespace gxr::python {
namespace {

using InputView = View<InputOfOperator>;
using OutputView = View<OutputOfOperator>;
using CodeletView = View<PythonOperator>;
thread_local const PythonOperator* current_operator = nullptr;

bool is_port(const TypeInfo& info, const std::string& key, PortInfo::Direction direction) {
  return std::ranges::any_of(info.ports, [&](const PortInfo& port) {
    return port.key == key && port.direction == direction;
  });
}

}  // namespace

// --- ports -------------------------------------------------------------------------------------

nb::object InputOfOperator::receive() {
  owner_->require_own_call();
  Message message = port_.receive();
  owner_->took(message);
  return from_message(std::move(message), binding_->content, owner_->holders());
}

nb::object InputOfOperator::receive_if_any() {
  owner_->require_own_call();
  Message message = port_.receive_if_any();
  if (!message) {
    return nb::none();
  }
  owner_->took(message);
  return from_message(std::move(message), binding_->content, owner_->holders());
}

std::size_t InputOfOperator::waiting() {
  owner_->require_own_call();
  return port_.receiver().size();
}

void OutputOfOperator::publish(nb::handle value, std::optional<std::int64_t> acquired) {
  owner_->require_own_call();
  Message message;
  if (MessageView* const view = as_message(value)) {
    if (std::exchange(view->is_new, false)) {
      owner_->set_time(view->message, published_);
    }
    message = view->message;
  } else {
    message = owner_->new_message();
    add_part(message, value, {}, binding_->value_type);
    owner_->set_time(message, published_);
  }
  if (acquired) {
    port_.publish(std::move(message), *acquired);
  } else {
    port_.publish(std::move(message));
  }
}

// --- the codelet -------------------------------------------------------------------------------

PythonOperator::PythonOperator(std::shared_ptr<const ComponentClass> type)
    : HasPythonObject(std::move(type)) {
  const Gil gil;
  try {
    calling_python([&] {
      object().make(*this);
      initialize_ = object().method("initialize");
      deinitialize_ = object().method("deinitialize");
      start_ = object().method("start");
      tick_ = instance().attr("tick");  // that of gxr.Operator says that there is none
      stop_ = object().method("stop");
    });
  } catch (...) {
    let_go();  // while Python's lock is held
    throw;
  }
}

PythonOperator::~PythonOperator() {
  const Gil gil;
  let_go();
}

void PythonOperator::let_go() noexcept {
  for (nb::object* const method : {&initialize_, &deinitialize_, &start_, &tick_, &stop_}) {
    method->reset();
  }
  object().let_go();
}

PythonOperator::Call::Call(const PythonOperator& caller) noexcept
    : before_(std::exchange(current_operator, &caller)) {}
PythonOperator::Call::~Call() { current_operator = before_; }

const PythonOperator* PythonOperator::of_this_thread() noexcept { return current_operator; }

void PythonOperator::require_own_call() const {
  if (current_operator != this) {
    throw Error(ErrorCode::InvalidState,
                "the ports of '" + full_name() +
                    "' are for its own methods, on the thread that calls them; other threads push "
                    "into an input of the application");
  }
}

void PythonOperator::declare(Interface& interface) {
  const ComponentClass& type = object().type();
  for (const ParameterInfo& info : type.info.parameters) {
    const PortBinding* const binding = type.port(info.key);
    if (binding != nullptr && is_port(type.info, info.key, PortInfo::Direction::Input)) {
      interface.input(inputs_.emplace_back(*this, *binding).port(), info.key, info.headline);
    } else if (binding != nullptr) {
      interface.output(outputs_.emplace_back(*this, *binding).port(), info.key, info.headline);
    } else {
      object().declare(interface, info);
    }
  }
}

void PythonOperator::call(const nb::object& method) {
  if (!method.is_valid()) {
    return;
  }
  const Call call(*this);
  const nb::object result = nb::steal(PyObject_CallNoArgs(method.ptr()));
  if (!result.is_valid()) {
    throw nb::python_error();
  }
}

void PythonOperator::update_object() {
  if (!std::exchange(has_ports_, true)) {
    for (InputOfOperator& input : inputs_) {
      object().set_attribute(input.key(), nb::cast(InputView(input, object().alive())));
    }
    for (OutputOfOperator& output : outputs_) {
      object().set_attribute(output.key(), nb::cast(OutputView(output, object().alive())));
    }
  }
  object().set_attributes();
}

void PythonOperator::initialize() {
  const Gil gil;
  holders_ = Holders::of(&context());
  calling_python([&] {
    update_object();
    call(initialize_);
  });
}

void PythonOperator::deinitialize() {
  const Gil gil;
  calling_python([&] { call(deinitialize_); });
  let_go();
}

void PythonOperator::start() {
  const Gil gil;
  taken_.reset();
  calling_python([&] {
    object().set_attributes();
    call(start_);
  });
}

void PythonOperator::tick() {
  const Gil gil;
  taken_.reset();
  calling_python([&] {
    object().set_attributes();
    call(tick_);
  });
}

void PythonOperator::stop() {
  if (stop_.is_valid()) {
    const Gil gil;
    taken_.reset();
    calling_python([&] { call(stop_); });
  }
}

void PythonOperator::took(const Message& message) {
  if (taken_) {
    return;
  }
  taken_ = Taken{message.source_time(), message.sequence(), {}};
  if (const Timestamp* const time = message.find<Timestamp>()) {
    taken_->timestamp = *time;
  }
}

void PythonOperator::set_time(Message& message, std::uint64_t& published) const {
  if (!taken_) {
    message.set_source_time(execution_timestamp());
    message.set_sequence(published++);
    return;
  }
  message.set_source_time(taken_->source_time);
  message.set_sequence(taken_->sequence);
  if (taken_->timestamp) {
    message.add<Timestamp>("timestamp", *taken_->timestamp);
  }
}

void PythonOperator::log(LogLevel level, std::string_view text) const {
  context().log(level, *this, text);
}

// --- what Python sees --------------------------------------------------------------------------

void bind_operator(nb::module_& module) {
  nb::class_<InputView>(module, "InputPort")
      .def("receive", [](const InputView& view) { return view.get().receive(); })
      .def("receive_if_any", [](const InputView& view) { return view.get().receive_if_any(); })
      .def_prop_ro("waiting", [](const InputView& view) { return view.get().waiting(); })
      .def_prop_ro("name", [](const InputView& view) { return view.get().key(); })
      .def("__bool__", [](const InputView& view) { return view.get().is_connected(); });
  nb::class_<OutputView>(module, "OutputPort")
      .def(
          "publish",
          [](const OutputView& view, nb::handle value, std::optional<std::int64_t> acquired) {
            view.get().publish(value, acquired);
          },
          nb::arg("value").none(), nb::arg("acquired") = nb::none())
      .def_prop_ro("name", [](const OutputView& view) { return view.get().key(); })
      .def("__bool__", [](const OutputView& view) { return view.get().is_connected(); });
  nb::class_<CodeletView>(module, "Codelet")
      .def("new_message",
           [](const CodeletView& view) {
             auto made =
                 std::make_unique<MessageView>(view.get().new_message(), view.get().holders());
             made->is_new = true;
             return made;
           })
      .def("log", [](const CodeletView& view, int level,
                     std::string_view text) { view.get().log(static_cast<LogLevel>(level), text); })
      .def("interrupt", [](const CodeletView& view) { view.get().context().interrupt(); })
      .def_prop_ro("name", [](const CodeletView& view) { return view.get().full_name(); })
      .def_prop_ro("entity", [](const CodeletView& view) { return view.get().entity_name(); })
      .def_prop_ro("time", [](const CodeletView& view) { return view.get().execution_timestamp(); })
      .def_prop_ro("delta", [](const CodeletView& view) { return view.get().delta_time(); })
      .def_prop_ro("count", [](const CodeletView& view) { return view.get().execution_count(); })
      .def_prop_ro("graph_device", [](const CodeletView& view) {
        return view.get().context().graph_device(view.get());
      });
}

}  // namespace gxr::python
