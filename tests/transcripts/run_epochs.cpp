// Runs an application whose scheduler is an EpochScheduler until nothing is ready, and prints the
// report as `gxr run --format json` does.
//
//     run_epochs FILE [-x EXTENSION | -m MANIFEST | --compat gxf]...
//
// Exit status: 0 done, 1 a component failed, 2 wrong usage, 3 an invalid application.

#include <iostream>
#include <string>

#include "gxr/application.hpp"
#include "gxr/error.hpp"
#include "observe/report_text.hpp"

namespace {

/// More than any application of the tests takes, ms.
constexpr double kBudget = 1e6;

bool read_options(gxr::Application& app, int argc, char** argv) {
  for (int i = 2; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) {
      return false;
    }
    if (option == "-x") {
      app.extension(argv[i + 1]);
    } else if (option == "-m") {
      app.manifest(argv[i + 1]);
    } else if (option == "--compat") {
      app.compat_gxf();
    } else {
      return false;
    }
  }
  return true;
}

int run(gxr::Application& app) {
  int status = 0;
  try {
    while (app.run_epoch(kBudget)) {
    }
  } catch (const gxr::Error& error) {
    std::cerr << "error: " << error.message() << '\n';
    status = 1;
  }
  const gxr::Report report = app.finish();
  std::cout << gxr::render_report_json(report) << '\n';
  return report.failures.empty() ? status : 1;
}

}  // namespace

int main(int argc, char** argv) {
  gxr::Application app;
  if (argc < 2 || !read_options(app, argc, argv)) {
    std::cerr << "usage: run_epochs FILE [-x EXTENSION | -m MANIFEST | --compat gxf]...\n";
    return 2;
  }
  app.load(argv[1]);
  if (!app.validate()) {
    std::cerr << app.problems_text();
    return 3;
  }
  return run(app);
}
