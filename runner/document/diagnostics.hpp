#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "document/source.hpp"
#include "document/utf8.hpp"
#include "gxr/value.hpp"
#include "internal_api.hpp"

namespace gxr {

enum class Severity : std::uint8_t { Error, Warning };

/// Every kind of problem that gxr finds in what a user wrote. The name in the table
/// (diagnostic_table.cpp) is stable and printed: `error[unknown-type]`. Each has a failing example
/// in tests/transcripts/diagnostics/<name>.test.
enum class DiagnosticCode : std::uint8_t {
  // files and YAML
  FileNotFound,
  FileUnreadable,
  OutOfMemory,
  YamlSyntax,
  EmptyFile,
  DocumentNotMap,
  TooManyAliasNodes,
  DuplicateKey,
  UnknownDocumentKey,
  UnknownComponentKey,
  ComponentsNotList,
  ComponentNotMap,
  ComponentWithoutType,
  ParametersNotMap,
  InvalidName,
  NameWithSlash,
  StartOrder,
  EntityGroup,
  InterfaceWithoutParent,
  InterfaceInvalid,
  SubgraphRecursion,
  SubgraphsTooLarge,
  SubgraphDocument,
  PrerequisiteMissing,
  // the short form
  OperatorAndComponents,
  OperatorNotCodelet,
  UnknownPort,
  InputSource,
  ShortFormValue,
  NameTaken,
  // the line of gxr launch
  LaunchSyntax,
  LaunchName,
  LaunchLink,
  // extensions and manifests
  ManifestInvalid,
  ExtensionNotFound,
  ExtensionInvalid,
  ExtensionIncompatible,
  PythonPackage,
  PythonModule,
  TypeInTwoExtensions,
  // types and parameters
  UnknownType,
  AbstractType,
  NotAComponent,
  UnknownParameter,
  ParametersIgnored,
  ParameterValue,
  ParameterRange,
  ParameterChoice,
  ParameterTwice,
  ParameterMissing,
  GxfSpelling,
  MissingUnit,
  ShortPeriod,
  // handles and links
  ComponentNotFound,
  EntityNotFound,
  ComponentAmbiguous,
  HandleType,
  HandleOutsideSubgraph,
  ConnectionEnd,
  DuplicateConnection,
  DuplicateComponent,
  EntityMerged,
  UnconnectedTransmitter,
  UnconnectedReceiver,
  ConnectionOutside,
  ReceiverNotWaitedFor,
  TransmitterNotWaitedFor,
  TooManyPublishes,
  PolicyWithoutEffect,
  ReceiverNeverRead,
  PortMismatch,
  // overrides
  OverrideSyntax,
  OverrideNoMatch,
  OverrideAmbiguous,
  ParameterFile,
  // execution
  NoScheduler,
  SeveralSchedulers,
  MissingClock,
  ThreadPolicy,
  ThreadSettings,
  NeverTicks,
  CycleWithoutStart,
  BehaviorTreeParents,
  BehaviorTreeCycle,
  // CUDA-graph regions
  NothingToCapture,
  NotCapturable,
  RegionEntityNotFound,
  EntityInTwoRegions,
  RegionSeveralCodelets,
  RegionDeviceCpu,
  RegionTerm,
  RegionMinSize,
  RegionPolicy,
  RegionSeveralTransmitters,
  RegionCycle,
  RegionWaitsForItself,
  RegionUnconnectedInput,
  RegionCount,
  RegionEmpty,
  RegionInput,
  RegionShape,
  RegionGreenContext,
  RegionHandler,
  RegionOutside,
  RegionOptions,
  RegionDeadline,
  BranchEntities,
  BranchSelector,
  BranchExchange,
  BranchOrder,
  BranchOutside,
  BranchLaunch,
  DelayedOutside,
  DevicePortSize,
  DevicePortOneSize,
  DevicePortNoSize,
  // several ranks
  PlaceFile,
  NoPlace,
  RankHandle,
  RankGroup,
  RankRegion,
  RankClock,
};

struct DiagnosticInfo {
  DiagnosticCode code;
  const char* name;  ///< "unknown-type"
  Severity severity;
  bool gxf_tolerates;       ///< an error that `--compat gxf` turns into a warning
  const char* title;        ///< one line
  const char* explanation;  ///< a paragraph or more for `gxr explain`
};
GXR_INTERNAL_API const DiagnosticInfo& info(DiagnosticCode code);
/// All codes, in the order of the enumeration.
GXR_INTERNAL_API const std::vector<DiagnosticInfo>& diagnostic_table();

/// Another place that matters to a diagnostic: "first defined here".
struct RelatedPlace {
  Location where;
  std::string text;
};

struct Diagnostic {
  DiagnosticCode code;
  Severity severity = Severity::Error;
  std::string text;  ///< what is wrong, one sentence without full stop, names in single quotes
  Location where;
  std::uint32_t length = 1;  ///< characters that the caret underlines
  std::string hint;          ///< what to do; may be empty: "did you mean 'x'?"
  std::vector<RelatedPlace> related;
};

/// Characters to underline for a value: all of a scalar's text, one for a collection.
inline std::uint32_t underline_length(const Value& value) {
  if (!value.is_scalar() && !value.is_null()) {
    return 1;
  }
  const std::size_t characters = count_characters(value.text()) + (value.quoted() ? 2 : 0);
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(characters, 1, std::numeric_limits<std::uint32_t>::max()));
}

/// Collects problems; nothing stops at the first.
class Diagnostics {
 public:
  explicit Diagnostics(bool compat_gxf = false) : compat_gxf_(compat_gxf) {}

  /// Takes severity from the table (and from --compat gxf).
  GXR_INTERNAL_API Diagnostic& add(DiagnosticCode code, Location where, std::uint32_t length,
                                   std::string text, std::string hint = {});
  /// Underlines the whole text of a scalar, or the first character of a collection.
  Diagnostic& add(DiagnosticCode code, const Value& value, std::string text, std::string hint = {});

  /// Copies of those of `others` that `wanted` accepts.
  template <class Wanted>
  void add_all(const Diagnostics& others, const Wanted& wanted) {
    for (const Diagnostic& diagnostic : others.all()) {
      if (wanted(diagnostic)) {
        items_.push_back(diagnostic);
        errors_ += diagnostic.severity == Severity::Error ? 1U : 0U;
      }
    }
  }

  [[nodiscard]] const std::vector<Diagnostic>& all() const noexcept { return items_; }
  [[nodiscard]] std::size_t errors() const noexcept { return errors_; }
  [[nodiscard]] std::size_t warnings() const noexcept { return items_.size() - errors_; }
  [[nodiscard]] bool compat_gxf() const noexcept { return compat_gxf_; }
  /// For cases in which GXF is laxer or stricter than the table says of the code: GXF goes on, so
  /// this is a warning with --compat gxf; or GXF fails too, so it is an error all the same.
  Diagnostic& tolerate(Diagnostic& diagnostic) noexcept;
  Diagnostic& insist(Diagnostic& diagnostic) noexcept;
  /// A warning here, whatever the table says.
  Diagnostic& soften(Diagnostic& diagnostic) noexcept;
  /// Orders by source and position, as a reader meets them; equal ones are dropped.
  GXR_INTERNAL_API void sort();

 private:
  void set_severity(Diagnostic& diagnostic, Severity severity) noexcept;

  std::vector<Diagnostic> items_;
  std::size_t errors_ = 0;
  bool compat_gxf_;
};

/// The diagnostics as text for a terminal, each with its source line, caret and hint. `color` adds
/// ANSI colours. No more than `greatest_number` are written, errors rather than warnings.
GXR_INTERNAL_API std::string render_text(
    const Diagnostics& diagnostics, const SourceMap& sources, bool color,
    std::size_t greatest_number = std::numeric_limits<std::size_t>::max());
/// A place with its line and caret, as render_text() shows that of a diagnostic.
GXR_INTERNAL_API std::string render_place(const SourceMap& sources, Location where,
                                          std::uint32_t length);
/// Diagnostics as JSON: {"diagnostics": [{code, severity, text, file, line, column, length, hint,
/// related}], "errors": n, "warnings": n}.
GXR_INTERNAL_API std::string render_json(const Diagnostics& diagnostics, const SourceMap& sources);

/// The candidate nearest to `word` (edit distance, case, missing namespace), or "" when none is
/// near enough.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);
/// "did you mean 'x'?" or "".
GXR_INTERNAL_API std::string suggestion(std::string_view word,
                                        const std::vector<std::string_view>& candidates);

}  // namespace gxr
