#pragma once

#include <map>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr {

/// Stands for the entities of other files. The engine reads those and puts them in its place before
/// anything is made, so this class only says what its parameters are; it is never instantiated.
class Subgraph final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<std::string> location_;
  Parameter<std::map<std::string, Handle<Component>>> prerequisites_;
};

}  // namespace gxr
