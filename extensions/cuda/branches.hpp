#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/graph_options.hpp"
#include "gxr/gxr.hpp"

namespace gxr::cuda {

// Decisions that a CUDA graph takes on the GPU. They may stand in any entity and do nothing
// themselves: the planner reads them.

/// Runs entities of a CUDA graph in an iteration, or others, or none.
class If final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<Handle<Transmitter>> selector_;
  Parameter<std::vector<std::string>> then_;
  Parameter<std::vector<std::string>> else_;
};

/// Runs one of several lists of entities of a CUDA graph in an iteration.
class Switch final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<Handle<Transmitter>> selector_;
  Parameter<std::vector<std::vector<std::string>>> cases_;
};

/// Runs entities of a CUDA graph again and again within an iteration.
class While final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<Handle<Transmitter>> condition_;
  Parameter<std::vector<std::string>> body_;
  Parameter<std::uint64_t> limit_;
};

/// Runs entities of a CUDA graph in every Nth iteration.
class Every final : public Component {
 public:
  void declare(Interface& interface) override;

 private:
  Parameter<std::uint64_t> count_;
  Parameter<std::vector<std::string>> body_;
  Parameter<std::uint64_t> first_;
  Parameter<BranchLaunch> launch_;
};

}  // namespace gxr::cuda
