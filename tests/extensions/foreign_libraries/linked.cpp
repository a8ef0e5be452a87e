// Asks the libraries that this extension is linked with, and those by themselves. GXR_FOREIGN is
// the extension's name.

#include "another.hpp"
#include "answers.hpp"

namespace GXR_FOREIGN {

class Answers final : public foreign::Answers {
 public:
  Answers() { static_cast<void>(another::ask()); }

 protected:
  std::vector<std::string> answers() override {
    std::vector<std::string> lines = another::ask();
    const std::vector<std::string> within = another::ask_within();
    lines.insert(lines.end(), within.begin(), within.end());
    return lines;
  }
};

}  // namespace GXR_FOREIGN

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<GXR_FOREIGN::Answers>("Asks another yaml-cpp, fmt, spdlog and nlohmann-json");
}
