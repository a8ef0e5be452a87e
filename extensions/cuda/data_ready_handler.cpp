#include "data_ready_handler.hpp"

namespace gxr::cuda {

void DataReadyHandler::declare(Interface& interface) {
  interface.parameter(source_, "source", "The operator whose input it looks for",
                      "In the same graph. It need not be connected to the one that looks.");
  interface.looks_for_input("source");
}

}  // namespace gxr::cuda
