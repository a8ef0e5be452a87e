#include <iostream>

#include <gxr/application.hpp>

int main(int argc, char** argv) {
  gxr::Application app;
  for (int i = 1; i < argc; ++i) {
    app.load(argv[i]);
  }
  if (!app.validate()) {
    std::cerr << app.problems_text();
    return 3;
  }
  const gxr::Report report = app.run();
  for (const gxr::EntityStatistics& entity : report.entities) {
    std::cout << entity.entity << ": " << entity.ticks << " ticks\n";
  }
  std::cout << to_string(report.reason) << '\n';
  return report.reason == gxr::EndReason::Completed ? 0 : 1;
}
