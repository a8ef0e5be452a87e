#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/handle.hpp"
#include "gxr/log.hpp"
#include "gxr/message.hpp"
#include "gxr/parameter.hpp"

namespace gxr::cuda {
class CudaGreenContextPool;
class CudaStreamPool;
}  // namespace gxr::cuda

namespace gxr {

class Component;
class Interface;
enum class Behavior : std::uint8_t;

/// The services of a running application for its components; one per application. Thread-safe
/// unless said otherwise.
class GXR_API Context {
 public:
  virtual ~Context();

  /// A new empty message from the application's free list.
  virtual Message new_message() = 0;
  /// The same for a thread that `maker` started itself, so that the engine does not know for whom
  /// it works: the message is named after `maker` where one is left at the end.
  virtual Message new_message_for(const Component& /*maker*/) { return new_message(); }
  /// Asks the application to stop in order, as if its work were done; the run then ends as
  /// "interrupted" with exit code 0.
  virtual void interrupt() = 0;
  /// Says that the answer of a scheduling term of `component`'s entity may have changed. Callable
  /// from any thread.
  virtual void notify(const Component& component) = 0;
  /// Receives one line of a component's log.
  virtual void log(LogLevel level, const Component& component, std::string_view text) = 0;
  /// How the last tick of an entity ended, by its Controller's decision; Unknown without one.
  [[nodiscard]] virtual Behavior behavior(std::uint32_t entity_id) const = 0;
  /// Time of the scheduler's clock in nanoseconds.
  [[nodiscard]] virtual std::int64_t clock_time() const = 0;
  /// Does the run tolerate what GXF tolerates (`--compat gxf`)?
  [[nodiscard]] virtual bool compat_gxf() const { return false; }
  /// Number of the GPU that `component` is to use: that of a GPUDevice in its entity, else in its
  /// entity's group, else 0; the ranks of a host that run an application together use its GPUs in
  /// turn.
  [[nodiscard]] virtual int device_id(const Component& component) const = 0;
  /// The pool that gives streams to codelets of `component`'s entity group that name none: that of
  /// the group, else that of the application (the parameter `serves`); nullptr when there is none.
  [[nodiscard]] virtual cuda::CudaStreamPool* default_stream_pool(
      const Component& /*component*/) const {
    return nullptr;
  }
  /// The same for the SMs of codelets that name no streams and no green context.
  [[nodiscard]] virtual cuda::CudaGreenContextPool* default_green_context_pool(
      const Component& /*component*/) const {
    return nullptr;
  }
  /// Number of the GPU of the CUDA graph that `component`'s entity is a part of; none when its
  /// codelet is ticked. See gxr/graph_operator.hpp.
  [[nodiscard]] virtual std::optional<int> graph_device(const Component& /*component*/) const {
    return std::nullopt;
  }
  /// All components of the entity that holds `component`, in the order of the YAML.
  [[nodiscard]] virtual std::vector<Component*> siblings(const Component& component) const = 0;
  /// All components of the application, entity by entity, in the order of the YAML. Callable once
  /// all are made, from initialize() to deinitialize(); a swap exchanges codelets among them.
  [[nodiscard]] virtual std::vector<Component*> components() const { return {}; }
  /// Shall operators that have two implementations run both and compare (`--verify`)? See
  /// gxr/verify.hpp.
  [[nodiscard]] virtual bool verify() const { return false; }

 private:
  friend class EngineAccess;

  // A result of `component` was the same by both.
  virtual void count_verified(const Component& /*component*/) {}
};

/// Base of everything that YAML can name under `components:`.
///
/// Life cycle: constructor, declare, parameters set, initialize, … , deinitialize, destructor; one
/// thread at a time.
class GXR_API Component {
 public:
  Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;
  virtual ~Component();

  /// Declares parameters and ports; see Interface. Without side effects.
  virtual void declare(Interface& interface);
  /// Called once, after all parameters of the application are set and before anything runs.
  virtual void initialize();
  /// Called once, after everything has stopped, if initialize() succeeded.
  virtual void deinitialize();

  /// Name in the YAML, may be empty.
  [[nodiscard]] const std::string& name() const noexcept;
  /// Name of its entity.
  [[nodiscard]] const std::string& entity_name() const noexcept;
  /// "entity/name", or "entity/type" for a component without a name.
  [[nodiscard]] std::string full_name() const;
  /// Registered name of its type.
  [[nodiscard]] const std::string& type() const noexcept;
  /// Number of the component and of its entity in the application.
  [[nodiscard]] std::uint32_t component_id() const noexcept { return component_id_; }
  /// Number of its entity in the application.
  [[nodiscard]] std::uint32_t entity_id() const noexcept { return entity_id_; }

  /// Precondition: an application made the component; true from declare() on.
  [[nodiscard]] Context& context() const noexcept { return *context_; }

 protected:
  /// A line that `--log-level debug` shows. Any thread.
  void log_debug(std::string_view text) const { context_->log(LogLevel::Debug, *this, text); }
  /// A line on what happens. Any thread.
  void log_info(std::string_view text) const { context_->log(LogLevel::Info, *this, text); }
  /// A line on what may be wrong. Any thread.
  void log_warning(std::string_view text) const { context_->log(LogLevel::Warn, *this, text); }
  /// A line on what is wrong; the run goes on. Any thread.
  void log_error(std::string_view text) const { context_->log(LogLevel::Error, *this, text); }

 private:
  friend class EngineAccess;

  Context* context_ = nullptr;
  const std::string* name_ = nullptr;
  const std::string* entity_name_ = nullptr;
  const std::string* type_ = nullptr;
  std::uint32_t component_id_ = 0;
  std::uint32_t entity_id_ = 0;
};

}  // namespace gxr
