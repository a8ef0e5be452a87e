#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "executors/cuda_graph/region_ports.hpp"
#include "executors/cuda_graph/region_program.hpp"
#include "plan/plan.hpp"
#include "runtime/instance.hpp"

namespace gxr {

struct ShapeOrder;

/// The shapes of a region's tensors: what operators, device ports and messages tell of them, and
/// the tensors of messages that have them.
class RegionShapes {
 public:
  using Tell = std::function<void(const std::string&)>;

  /// All must outlive it. Shapes that are found are put into `region`; `warn` gets warnings.
  RegionShapes(const Plan& plan, Region& region, const Instance& instance, const RegionPorts& ports,
               Tell warn);

  /// The order of the application's entities, which all regions need; without it the region makes
  /// its own. Must outlive the run.
  void set_order(const ShapeOrder* order) noexcept { order_ = order; }
  /// Takes what the operators told their device ports, or what infer() can tell now, into account;
  /// `inform` gets what that changes. Throws Error when sizes are unknown that no message tells.
  void settle(const Tell& inform);
  /// Finds the shapes that only messages tell. Throws Error when some are unknown then.
  void lay_out(const std::vector<Message>& messages);
  /// A region whose inputs have a shape, with all others, laid out. Throws Error when an operator
  /// refuses its inputs.
  [[nodiscard]] Region infer_anew(const Region& told) const;

  /// The tensors of messages, by input, nullptr for an input without one. False: there are some for
  /// which the graph was not built; see want().
  [[nodiscard]] bool find_tensors(const std::vector<Message>& messages);
  /// The same for the graph of now. Throws Error(InvalidState) when there are any.
  void require_tensors(const std::vector<Message>& messages);
  /// What these found last.
  [[nodiscard]] const Tensor& tensor_of(std::size_t input) const { return *tensors_[input]; }
  /// Wants the program with the shapes of these messages. Throws Error(InvalidData) that names
  /// input and both shapes when there can be none.
  void want(const std::vector<Message>& messages, const RegionProgram::News& news,
            RegionProgram& program) const;

 private:
  void infer();
  [[nodiscard]] std::string told_by(std::size_t input, const Message& message, Region& told) const;

  const Plan& plan_;
  Region& region_;
  const Instance& instance_;
  const RegionPorts& ports_;
  Tell warn_;
  const ShapeOrder* order_ = nullptr;
  std::vector<const Tensor*> tensors_;  // by input, of the messages of now
};

}  // namespace gxr
