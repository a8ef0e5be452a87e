#include "resident.hpp"

#include <chrono>
#include <cstdint>

#include <nanobind/stl/string.h>

#include "device_tensor.hpp"
#include "gil.hpp"
#include "gxr/resident_graph.hpp"

namespace gxr::python {
namespace {

/// Calls a method that may wait for the region, which may be in a call of Python.
template <auto kMethod>
auto without_gil(ResidentGraph& graph) {
  const WithoutGil others_run;
  return (graph.*kMethod)();
}

GraphStop stop_of(bool drain) { return drain ? GraphStop::Drain : GraphStop::Abort; }

/// The tensor of a port.
template <auto kPort>
DeviceTensor port_of(const ResidentGraph& graph, const std::string& name) {
  GraphPort port;
  {
    const WithoutGil others_run;
    port = (graph.*kPort)(name);
  }
  return {port.address, port.spec.shape, port.spec.type, port.device};
}

}  // namespace

void bind_resident(nb::module_& module) {
  nb::class_<ResidentGraph>(module, "ResidentGraph",
                            "A CUDA graph that loops on a GPU, in the hands of the program.")
      .def_prop_ro("name", [](const ResidentGraph& graph) { return graph.name(); })
      .def_prop_ro("is_launched", without_gil<&ResidentGraph::is_launched>)
      .def(
          "wait_until_launched",
          [](const ResidentGraph& graph, double timeout) {
            const WithoutGil others_run;
            return graph.wait_until_launched(
                std::chrono::nanoseconds(static_cast<std::int64_t>(timeout * 1e9)));
          },
          nb::arg("timeout") = 10.0)
      .def("data_ready", without_gil<&ResidentGraph::data_ready>)
      .def_prop_ro("result_ready", without_gil<&ResidentGraph::result_ready>)
      .def_prop_ro("results", without_gil<&ResidentGraph::results>)
      .def(
          "tear_down",
          [](ResidentGraph& graph, bool drain) {
            const WithoutGil others_run;
            graph.tear_down(stop_of(drain));
          },
          nb::kw_only(), nb::arg("drain") = true)
      .def(
          "begin_tear_down",
          [](ResidentGraph& graph, bool drain) {
            const WithoutGil others_run;
            graph.begin_tear_down(stop_of(drain));
          },
          nb::kw_only(), nb::arg("drain") = true)
      .def("input", port_of<&ResidentGraph::input>)
      .def("output", port_of<&ResidentGraph::output>)
      .def("launch", [](ResidentGraph& graph) {
        const WithoutGil others_run;
        graph.launch();
      });
}

}  // namespace gxr::python
