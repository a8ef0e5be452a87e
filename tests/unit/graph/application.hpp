#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "document/document.hpp"
#include "graph/resolve.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::test {

/// Types that stand for those of the std extension, without any library: base types, queues, terms,
/// clocks, schedulers, and a few codelets `test::Tx` (signal), `test::Rx` (signal), `test::Pass`
/// (in, out), `test::Operator` (in, out; capturable), `test::Origin` (out) and `test::End` (in),
/// both capturable, and `test::Everything` with a parameter of each kind. `test::LooksForInput`
/// (source) is a data-ready handler, `test::Polling` a term that polls. `test::HallReceiver` and
/// `test::HallTransmitter` join the topic `hall`, "east: 1" by default; `test::HallCodelet` says
/// so, too, but is no queue. For the short form: `test::Camera` (out, extra; needs a pool, may
/// end), `test::Gather` (any inputs, sink), `test::Broadcast` (source, any outputs), `test::Pairs`
/// (lists of both).
TypeCatalog make_catalog();

/// An application brought to the Graph stage.
struct Application {
  explicit Application(bool compat_gxf = false)
      : diagnostics(compat_gxf), catalog(make_catalog()) {}

  Document document;
  Diagnostics diagnostics;
  TypeCatalog catalog;
  Graph graph;

  [[nodiscard]] std::size_t count(DiagnosticCode code) const {
    return static_cast<std::size_t>(std::ranges::count(diagnostics.all(), code, &Diagnostic::code));
  }
  /// The only diagnostic of this code; fails the test when there is not exactly one.
  [[nodiscard]] const Diagnostic& only(DiagnosticCode code) const;
  [[nodiscard]] const GraphComponent& component(std::string_view entity,
                                                std::string_view name) const;
  /// All diagnostics as text, for messages of failing tests.
  [[nodiscard]] std::string text() const;
};

struct Given {
  std::vector<std::string> files;  ///< texts, one a file
  std::vector<std::string> overrides;
  bool compat_gxf = false;
};

std::unique_ptr<Application> resolve_given(const Given& given);
std::unique_ptr<Application> resolve_text(const std::string& yaml);

/// A scheduler with its clock, to be added to an application that is to be without errors.
inline const std::string kScheduler =
    "---\nname: scheduler\ncomponents:\n- name: clock\n  type: gxr::RealtimeClock\n- type: "
    "gxr::GreedyScheduler\n"
    "  parameters:\n    clock: clock\n";

/// A source `name` that ticks `count` times, with a transmitter `signal`.
std::string tx(const std::string& name, int count = 10);
/// A sink with a receiver `signal` that it waits for.
std::string rx(const std::string& name);
/// An entity with a receiver `in` that it waits for and a transmitter `out`.
std::string pass(const std::string& name);
/// The same with a codelet of type test::Operator.
std::string operator_stage(const std::string& name);
std::string connect(const std::string& source, const std::string& target);

}  // namespace gxr::test
