#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gxr/scheduling_term.hpp"
#include "object.hpp"

namespace gxr::python {

/// The scheduling term behind an object of Python: calls its methods, with Python's lock held only
/// there.
class PythonTerm final : public SchedulingTerm, public HasPythonObject {
 public:
  /// Makes the object. Throws Error with what its constructor raises.
  explicit PythonTerm(std::shared_ptr<const ComponentClass> type);
  ~PythonTerm() override;

  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  Condition check(std::int64_t now) override;
  void on_execute(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

  /// Has the scheduler ask check() again. Any thread.
  void notify() { context().notify(*this); }

 private:
  void let_go() noexcept;

  nb::object initialize_, deinitialize_, check_, executed_, explain_;  // bound; may be invalid
  std::int64_t poll_ = 0;  // ns; 0: a notification tells when the answer has changed
};

/// Adds the class of terms to the module.
void bind_term(nb::module_& module);

}  // namespace gxr::python
