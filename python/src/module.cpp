#include <cstdio>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "application.hpp"
#include "array.hpp"
#include "capture.hpp"
#include "command.hpp"
#include "device/device_engine.hpp"
#include "document/yaml_library.hpp"
#include "failure.hpp"
#include "gxr/error.hpp"
#include "gxr/parameter.hpp"
#include "gxr/version.hpp"
#include "media.hpp"
#include "message.hpp"
#include "operator.hpp"
#include "provider.hpp"
#include "resident.hpp"
#include "term.hpp"
#include "waker.hpp"

namespace gxr::python {
namespace {

/// gxr.Error, with the code as an attribute.
void raise_error(const Error& error) {
  const nb::object type = nb::module_::import_("gxr._error").attr("Error");
  const nb::object raised = type(error.message(), to_string(error.code()));
  PyErr_SetObject(type.ptr(), raised.ptr());
}

/// Do CUDA graphs loop on that GPU, of any application of this process?
bool loops_run(int device) {
  DeviceEngine* const engine = DeviceEngine::loaded();
  return engine != nullptr && engine->in_flight().has_running_loops_on(device);
}

}  // namespace

NB_MODULE(_native, module) {
  nb::set_leak_warnings(false);  // a program that ends early leaves objects behind
  nb::register_exception_translator([](const std::exception_ptr& pointer, void* /*payload*/) {
    try {
      std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise_error(error);
    }
  });
  bind_tensor(module);
  bind_message(module);
  bind_media(module);
  bind_components(module);
  bind_operator(module);
  bind_term(module);
  bind_capture(module);
  bind_resident(module);
  bind_waker(module);
  bind_application(module);
  module.attr("sdk") = std::string(kSdkFingerprint);
  module.attr("version") = std::to_string(kSdkVersionMajor) + "." +
                           std::to_string(kSdkVersionMinor) + "." +
                           std::to_string(kSdkVersionPatch);
  module.attr("part_types") = part_types();
  module.def("type_id", [](const std::string& name) {
    const TypeId id = type_id_of_name(name);
    char text[34];
    std::snprintf(text, sizeof text, "%016llx:%016llx", static_cast<unsigned long long>(id.hash1),
                  static_cast<unsigned long long>(id.hash2));
    return std::string(text);
  });
  module.def("yaml_text", [](const std::string& text) { return detail::yaml_of(text); });
  module.def("yaml_number", [](double number) { return detail::yaml_of(number); });
  module.def("types_text", &types_text);
  module.def("loops_run", &loops_run);
  module.def("require_libraries", &require_yaml_library);
  module.def("host", &host_python);
  module.def("run_command", &run_command);
  module.def("exception_of", &remembered_exception);
  module.def("forget_exceptions", &forget_exceptions);
  module.def("live_messages", &Holders::all);
}

}  // namespace gxr::python
