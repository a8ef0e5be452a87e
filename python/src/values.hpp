#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>

#include "gxr/component.hpp"
#include "gxr/parameter.hpp"
#include "gxr/type_info.hpp"

namespace gxr::python {

namespace nb = nanobind;

/// The value of a parameter, without Python.
struct Datum {
  using List = std::vector<Datum>;
  using Map = std::vector<std::pair<std::string, Datum>>;
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::complex<double>,
               std::string, List, Map, Component*>
      value;
};

/// Reads YAML as the type says, with the rules of parameters in C++. Throws Error.
Datum read_datum(const ParameterType& type, const Value& value, ParameterContext& context);

/// The same value for Python, whose lock is held. Components are what `component` makes of them.
nb::object to_python(const Datum& datum,
                     const std::function<nb::object(Component& component)>& component);

}  // namespace gxr::python
