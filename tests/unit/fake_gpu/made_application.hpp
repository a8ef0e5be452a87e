#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gxr/application.hpp"
#include "operators.hpp"

namespace gxr::test {

/// The text of an application with one CUDA graph, entity by entity.
class MadeApplication {
 public:
  /// Receivers and entities that send to them: {"in", "add"}. One receiver may have several, one
  /// behind the other, which are in different bodies of a branch. Nothing is connected to a
  /// receiver whose entity is empty.
  using Inputs = std::vector<std::pair<std::string, std::string>>;
  /// An operator in the graph.
  MadeApplication& graph_operator(const std::string& name, const std::string& type,
                                  const Inputs& inputs, const std::string& parameters = {});
  /// On the CPU: `count` numbers.
  MadeApplication& feed(const std::string& name, std::uint64_t count);
  MadeApplication& keep(const std::string& name, const std::string& source);
  /// "- {type: gxr::cuda::If, parameters: {…}}"
  MadeApplication& branch(const std::string& line);
  /// `options`: of the GraphExecutor, "mode: resident, slots: 3".
  [[nodiscard]] std::string text(const std::string& options,
                                 const std::string& scheduler = "gxr::GreedyScheduler") const;

 private:
  void entity(const std::string& name, const std::string& type, const Inputs& inputs, bool sends,
              const std::string& parameters, const std::string& more = {});

  std::string entities_;
  std::string connections_;
  std::string branches_;
  std::string members_;
};

/// Loads it with the operators, for a new fake device. Work that hangs is given up soon.
void load(Application& app, const std::string& text, const std::shared_ptr<Switches>& switches);

}  // namespace gxr::test
