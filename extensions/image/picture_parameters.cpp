#include "image/picture_parameters.hpp"

namespace gxr::image {

void declare_pool(Interface& interface, Parameter<Handle<Allocator>>& pool) {
  interface.parameter(pool, "pool", "Allocator of the results' memory")
      .description("One block per message in flight; every message takes a fresh one.");
}

void declare_in_tensor_name(Interface& interface, Parameter<std::string>& name) {
  interface
      .parameter(name, "in_tensor_name",
                 "Tensor or VideoBuffer to read; empty: the message's first")
      .default_value("");
}

void declare_out_tensor_name(Interface& interface, Parameter<std::string>& name,
                             const char* empty) {
  interface.parameter(name, "out_tensor_name", "Name of the result")
      .description(empty)
      .default_value("");
}

}  // namespace gxr::image
