#include <string>

#include "catch.hpp"
#include "gxr/application.hpp"

namespace gxr {
namespace {

/// Adds an entity with the codelet of an extension of tests/extensions/foreign_libraries.
void add_codelet(Application& app, const std::string& extension) {
  app.extension(std::string(GXR_TEST_EXTENSION_DIR) + "/" + extension + ".so");
  app.load_text("name: " + extension + "\ncomponents:\n- {type: " + extension +
                "::Answers}\n- {type: gxr::CountSchedulingTerm, parameters: {count: 2}}\n");
}

// Nothing of what gxr is made with comes into the program with libgxr.so, so these extensions work
// as under `gxr run`, and beside each other.
TEST_CASE("a program runs extensions that bring other versions of gxr's libraries") {
  Application app;
  for (const char* extension : {"foreign_static", "foreign_shared", "foreign_indirect",
                                "foreign_compiled_in", "foreign_system"}) {
    add_codelet(app, extension);
  }
  app.load_text(
      "components:\n- {name: clock, type: gxr::ManualClock}\n"
      "- {type: gxr::GreedyScheduler, parameters: {clock: clock}}\n");
  REQUIRE(app.validate());
  const Report report = app.run();
  CHECK(report.reason == EndReason::Completed);
  REQUIRE(report.entities.size() == 5);
  for (const EntityStatistics& entity : report.entities) {
    INFO(entity.entity);
    CHECK(entity.ticks == 2);
  }
}

}  // namespace
}  // namespace gxr
