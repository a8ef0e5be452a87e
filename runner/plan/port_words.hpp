#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/diagnostics.hpp"
#include "plan/shapes.hpp"

namespace gxr {

/// Puts together what operators and inputs say of the tensors of a CUDA-graph region, and the
/// device ports at their ends. Holds references.
class PortWords {
 public:
  PortWords(const Graph& graph, ShapeSource& source, Diagnostics& diagnostics)
      : graph_(graph), source_(source), diagnostics_(diagnostics) {}

  /// What is known of a tensor before its ports are asked.
  struct Known {
    /// Of the tensor that the transmitter sends: by its operator's infer(), or known of an input.
    std::optional<TensorSpec> spec;
    bool may_follow = false;  ///< else, if the ports say nothing, it stays unknown
  };

  /// Sets spec, owner and what else the device ports say of this tensor. Where they contradict each
  /// other or `known`, both ends are reported. False when nothing is said and no device port is
  /// there to blame.
  bool settle(GraphRegion& region, TensorId id, const Known& known);
  /// The tensor that a device port declares, if it declares any; none for other queues.
  [[nodiscard]] std::optional<TensorSpec> declared(ComponentId queue);

 private:
  struct Word;
  struct End;
  struct Tensor;
  [[nodiscard]] End end(ComponentId queue, bool inside);
  [[nodiscard]] std::vector<End> ends_of(const GraphRegion& region, TensorId id);
  [[nodiscard]] Tensor collect(const GraphRegion& region, TensorId id, const Known& known);
  [[nodiscard]] bool is_silent(const End& end) const;
  bool settle_without_size(GraphTensor& tensor, const Tensor& found, const Known& known);
  bool report_conflicts(const Tensor& tensor, const Word& reference);
  void report_conflict(const Tensor& tensor, const Word& first, const Word& other);
  void warn_of_one_size(const Tensor& tensor, const Word& reference, const Known& known);
  void warn(const End& silent, const End& other, const Word& holds);
  void report_no_size(const Tensor& tensor);
  void add_place(Diagnostic& diagnostic, ComponentId port, const std::string& what) const;
  [[nodiscard]] std::string name(ComponentId component) const;
  /// Where a port says it, or the port.
  [[nodiscard]] Location place(const GraphComponent& port, std::uint32_t& length) const;

  const Graph& graph_;
  ShapeSource& source_;
  Diagnostics& diagnostics_;
};

}  // namespace gxr
