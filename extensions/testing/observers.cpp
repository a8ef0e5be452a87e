#include "observers.hpp"

#include <string>

namespace gxr::testing {

void EntityMonitor::on_execute(const Execution& execution) {
  log_info("entity '" + execution.entity_name + "' executed at " +
           std::to_string(execution.timestamp) +
           " ns: " + (execution.succeeded ? "success" : to_string(execution.error)));
}

void TestLogger::tick() {
  log_error("an error for the log");
  log_warning("a warning for the log");
  log_info("information for the log");
  log_debug("a detail for the log");
}

}  // namespace gxr::testing
