// Is linked with the libraries of the system, the ones that gxr uses.

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <yaml-cpp/yaml.h>

#include "answers.hpp"

namespace foreign_system {

class Answers final : public foreign::Answers {
 protected:
  std::vector<std::string> answers() override {
    YAML::Emitter emitter;
    emitter << YAML::Load("{list: [1, two]}");
    std::string problem;
    try {
      YAML::Load("[1");
    } catch (const YAML::ParserException& error) {
      problem = error.msg;
    }
    spdlog::shutdown();  // of the system's library, which is not gxr's
    return {fmt::format("yaml-cpp: {}, {}", emitter.c_str(), problem)};
  }
  std::string expected() override { return "[1, two]"; }
};

}  // namespace foreign_system

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<foreign_system::Answers>("Asks the system's yaml-cpp, fmt and spdlog");
}
