#pragma once

#include <map>
#include <string>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr::mpi {

/// One name of an entity, or a list of them.
struct EntityNames {
  std::vector<std::string> names;
};

/// Says which rank runs which entity when several processes run the application together. It does
/// nothing itself: the engine reads its parameters before anything is made. In one process it
/// changes nothing.
class Placement final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<std::map<std::string, EntityNames>> ranks_;
};

}  // namespace gxr::mpi

template <>
struct gxr::ParameterTraits<gxr::mpi::EntityNames> {
  static ParameterType type() {
    return {ParameterType::Kind::Any, "gxr::mpi::EntityNames", {}, 0, {}};
  }
  static mpi::EntityNames parse(const Value& value, ParameterContext& context);
  static std::string to_yaml(const mpi::EntityNames& names);
};
