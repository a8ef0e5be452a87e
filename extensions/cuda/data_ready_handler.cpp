#include "data_ready_handler.hpp"

namespace gxr::cuda {

void DataReadyHandler::declare(Interface& interface) {
  interface.parameter(source_, "source", "The operator for whose input it polls",
                      "In the same graph. It need not be connected to the one that polls.");
  interface.looks_for_input("source");
}

}  // namespace gxr::cuda
