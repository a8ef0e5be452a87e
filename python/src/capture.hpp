#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gxr/graph_operator.hpp"
#include "operator.hpp"

namespace gxr::python {

/// Objects of Python that CUDA graphs have used. CUDA may wait for loops when they go, so they stay
/// until the operator is at its end.
class UsedByGraphs {
 public:
  /// Keeps `object`, as an argument of CaptureContext::keep(). Python's lock is held.
  static std::shared_ptr<const void> keep(const std::shared_ptr<UsedByGraphs>& self,
                                          nb::object object);
  /// Lets go of what no graph uses, and of all else as soon as none does. Python's lock is held.
  void end() noexcept;

 private:
  std::vector<nb::object> unused_;  // under Python's lock
  bool ended_ = false;
};

/// Sizes that infer() has asked for last, in bytes.
struct AskedBytes {
  std::size_t scratch = 0;
  std::size_t parameters = 0;
};

/// A stream that is never destroyed, for the captures of one operator at a time: libraries remember
/// where they have put work, longer than a graph has the stream that it captures. Under Python's
/// lock.
class LastingStream {
 public:
  /// Does nothing when there is one.
  void take(int device, int priority);
  /// Others may have it.
  void give_back() noexcept;
  [[nodiscard]] std::uintptr_t handle() const noexcept;

 private:
  DeviceStream* stream_ = nullptr;
};

/// An operator whose class has capture(): its work can be a part of a CUDA graph. What Python puts
/// on the stream becomes nodes; no Python runs in iterations.
class CapturablePythonOperator final : public PythonOperator,
                                       public GraphOperator,
                                       public CapturePreparation {
 public:
  using PythonOperator::PythonOperator;
  ~CapturablePythonOperator() override;

  void infer(ShapeContext& context) override;
  void prepare_capture(CaptureContext& context) override;
  void capture(CaptureContext& context) override;
  [[nodiscard]] GraphTraits graph_traits() const override { return object().type().traits; }
  void deinitialize() override;

 private:
  void call_with(CaptureContext& context, const char* function);
  void end() noexcept;

  std::shared_ptr<AskedBytes> asked_ = std::make_shared<AskedBytes>();
  std::shared_ptr<LastingStream> lasting_ = std::make_shared<LastingStream>();
  std::shared_ptr<UsedByGraphs> used_ = std::make_shared<UsedByGraphs>();
};

/// Adds what infer() and capture() get to the module.
void bind_capture(nb::module_& module);

}  // namespace gxr::python
