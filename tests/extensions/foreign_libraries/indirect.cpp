// Knows the other libraries only through one that uses them, which uses them through yet another
// one.

#include "answers.hpp"
#include "relay.hpp"

namespace foreign_indirect {

class Answers final : public foreign::Answers {
 protected:
  std::vector<std::string> answers() override { return relay::ask(); }
};

}  // namespace foreign_indirect

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<foreign_indirect::Answers>("Asks the other libraries through one between");
}
