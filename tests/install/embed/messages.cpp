#include <cstdint>
#include <iostream>
#include <thread>
#include <utility>

#include <gxr/application.hpp>

int main(int argc, char** argv) {
  gxr::Application app;
  for (int i = 1; i < argc; ++i) {
    app.load(argv[i]);
  }
  app.input("forward/in");
  gxr::Tap tap = app.tap("forward/out");
  if (!app.validate()) {
    std::cerr << app.problems_text();
    return 3;
  }
  app.run_async();
  std::thread pushing([&app] {
    for (std::int64_t number = 1; number <= 3; ++number) {
      gxr::Message message = app.new_message();
      message.add<std::int64_t>("number", number);
      if (app.push("forward/in", std::move(message)) == gxr::PushResult::Ended) {
        break;
      }
    }
    app.end_input("forward/in");
  });
  while (const gxr::Message message = tap.take()) {
    std::cout << message.get<std::int64_t>("number") << '\n';
  }
  pushing.join();
  return app.wait().reason == gxr::EndReason::Completed ? 0 : 1;
}
