// Has fmt, spdlog and nlohmann-json compiled in.

#include "answers.hpp"
#include "own_copies.hpp"

namespace foreign_compiled_in {

class Answers final : public foreign::Answers {
 protected:
  std::vector<std::string> answers() override { return own_copies::ask(); }
  std::string expected() override { return ": "; }
};

}  // namespace foreign_compiled_in

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<foreign_compiled_in::Answers>("Asks fmt, spdlog and nlohmann-json of its own");
}
