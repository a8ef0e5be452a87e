#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context.hpp"
#include "gxf/core/component.hpp"
#include "gxf/core/parameter_value.hpp"
#include "gxr/component.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"

// gxr components that hold components of GXF's kind. One for each base class that gxr treats in
// its own way: the codelet's, terms' and allocators' are in the file of their facades.

namespace nvidia::gxf::layer {

/// A parameter of a source's component, as gxr fills it.
class AdaptedParameter final : public gxr::ParameterBase {
 public:
  AdaptedParameter(ParameterSlot& slot, const ParseSite& site) : slot_(&slot), site_(site) {}

  [[nodiscard]] bool has_value() const noexcept override { return slot_->has_value(); }
  [[nodiscard]] ParameterSlot& slot() noexcept { return *slot_; }
  [[nodiscard]] const char* name() const noexcept { return site_.key; }

 private:
  AdaptedParameter(std::unique_ptr<ParameterSlot> slot, const ParseSite& site)
      : slot_(slot.get()), site_(site), own_(std::move(slot)) {}

  void read(const gxr::Value& value, gxr::ParameterContext& context) override;
  [[nodiscard]] std::unique_ptr<gxr::ParameterBase> make_another() const override;
  void swap_value(gxr::ParameterBase& other) override;

  ParameterSlot* slot_;
  ParseSite site_;
  std::unique_ptr<ParameterSlot> own_;
};

class ComponentCall;
/// The innermost one of this thread; in the static block, so that no call is needed to find it.
extern constinit thread_local const ComponentCall* innermost_call
    __attribute__((tls_model("initial-exec")));

/// While a method of a source's component runs on this thread, or an application is made, runs or
/// ends here. Such calls may nest: a codelet may embed another application.
class ComponentCall {
 public:
  explicit ComponentCall(Context* context, const gxr::Component* component = nullptr) noexcept
      : context_(context),
        component_(component),
        outer_(std::exchange(innermost_call, static_cast<const ComponentCall*>(this))) {}
  ComponentCall(const ComponentCall&) = delete;
  ComponentCall& operator=(const ComponentCall&) = delete;
  ~ComponentCall() { innermost_call = outer_; }

  /// Is one of this context on this thread?
  static bool is_in(const Context& context) noexcept {
    const ComponentCall* call = innermost_call;
    while (call != nullptr && call->context_ != &context) {
      call = call->outer_;
    }
    return call != nullptr;
  }

  /// Makes the innermost context's program remember the code of a failure with this text.
  static void note_failure(gxf_result_t code, const std::string& text);

 private:
  Context* context_;
  const gxr::Component* component_;  // nullptr: of no single one
  const ComponentCall* outer_;
};

/// What all adapters have in common.
class AdaptedComponent {
 public:
  explicit AdaptedComponent(Component& object) noexcept : object_(&object) {}
  ~AdaptedComponent();
  AdaptedComponent(const AdaptedComponent&) = delete;
  AdaptedComponent& operator=(const AdaptedComponent&) = delete;

  /// Runs registerInterface(); its parameters become those of `owner`.
  void declare(gxr::Component& owner, gxr::Interface& interface);
  void initialize(gxr::Component& owner);
  void deinitialize();
  [[nodiscard]] ParameterSlot* parameter(std::string_view key) noexcept;
  [[nodiscard]] Component& object() noexcept { return *object_; }
  /// Of a method, as long as the result lives.
  [[nodiscard]] ComponentCall call() const noexcept {
    return ComponentCall(context_.get(), owner_);
  }

 private:
  std::shared_ptr<Context> context_;  // goes after the object, which uses facades to the end
  std::unique_ptr<Component> object_;
  gxr::Component* owner_ = nullptr;
  std::deque<AdaptedParameter> parameters_;
};

/// Where a Registrar puts what it is told.
struct InterfaceSink {
  gxr::Interface& interface;
  std::deque<AdaptedParameter>& parameters;
  ParseSite site;
  std::string failure;  // the parameter that cannot be registered, and why
};

/// A code as people read it: those without a name are numbers.
std::string text_of(gxf_result_t code);

/// Throws gxr::Error when `method` of a source has failed.
void require_success(gxf_result_t code, const char* method);

/// The gxr component for T's that derive from `Base`; the class template's body is the same for
/// all of them.
template <class Base>
class AdapterOf : public Base, public Adapter {
 public:
  explicit AdapterOf(gxf::Component& object) noexcept : adapted_(object) {}

  void declare(gxr::Interface& interface) override { adapted_.declare(*this, interface); }
  void initialize() override { adapted_.initialize(*this); }
  void deinitialize() override { adapted_.deinitialize(); }
  [[nodiscard]] gxf::Component& object() noexcept override { return adapted_.object(); }
  [[nodiscard]] ParameterSlot* parameter(std::string_view key) noexcept override {
    return adapted_.parameter(key);
  }

 protected:
  /// Of a method, as long as the result lives.
  [[nodiscard]] ComponentCall call() const noexcept { return adapted_.call(); }

 private:
  AdaptedComponent adapted_;
};

}  // namespace nvidia::gxf::layer
