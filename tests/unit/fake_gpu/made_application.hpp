#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gxr::test {

/// The text of an application with one CUDA graph, entity by entity.
class MadeApplication {
 public:
  /// An operator in the graph, with one message of one entity for each input: {"in", "add"}.
  using Inputs = std::vector<std::pair<std::string, std::string>>;
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

}  // namespace gxr::test
