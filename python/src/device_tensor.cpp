#include "device_tensor.hpp"

#include <string>
#include <utility>

#include <nanobind/stl/string.h>

#include "array.hpp"

namespace gxr::python {

DeviceTensor::DeviceTensor(const Tensor& tensor, int device) : device_(device) {
  tensor_.wrap(const_cast<void*>(tensor.pointer()), tensor.shape(), tensor.element_type(),
               MemoryStorageType::Device, nullptr, nullptr, tensor.bytes_per_element());
}

DeviceTensor::DeviceTensor(const void* pointer, const Shape& shape, ElementType type, int device)
    : device_(device) {
  tensor_.wrap(const_cast<void*>(pointer), shape, type, MemoryStorageType::Device, nullptr,
               nullptr);
}

nb::tuple DeviceTensor::shape() const { return dimensions_of(tensor_.shape()); }

nb::dict DeviceTensor::cuda_interface() const {
  nb::dict interface;
  interface["shape"] = shape();
  interface["typestr"] =
      nb::module_::import_("numpy").attr("dtype")(dtype_name(tensor_.element_type())).attr("str");
  interface["data"] = nb::make_tuple(pointer(), false);
  interface["version"] = 3;
  return interface;
}

nb::object DeviceTensor::dlpack() const {
  return legacy_capsule(std::move(DeviceTensor(tensor_, device_).tensor_));
}

void bind_device_tensor(nb::module_& module) {
  nb::class_<DeviceTensor>(module, "DeviceTensor",
                           "Device memory of a CUDA graph, by DLPack and the CUDA array interface: "
                           "torch.from_dlpack(tensor), cupy.asarray(tensor).")
      .def_prop_ro("shape", &DeviceTensor::shape)
      .def_prop_ro("ndim", [](const DeviceTensor& view) { return view.tensor().rank(); })
      .def_prop_ro(
          "dtype",
          [](const DeviceTensor& view) { return dtype_name(view.tensor().element_type()); })
      .def_prop_ro("nbytes", [](const DeviceTensor& view) { return view.tensor().size(); })
      .def_prop_ro("pointer", &DeviceTensor::pointer)
      .def_prop_ro("device", &DeviceTensor::device)
      .def_prop_ro("__cuda_array_interface__", &DeviceTensor::cuda_interface)
      .def("__dlpack__", [](const DeviceTensor& view, const nb::args& /*all*/,
                            const nb::kwargs& /*named*/) { return view.dlpack(); })
      .def("__dlpack_device__",
           [](const DeviceTensor& view) { return nb::make_tuple(2, view.device()); })
      .def("__repr__", [](const DeviceTensor& view) {
        return "<gxr.DeviceTensor " + view.tensor().shape().to_string() + " of " +
               to_string(view.tensor().element_type()) + " on GPU " +
               std::to_string(view.device()) + ">";
      });
}

}  // namespace gxr::python
