#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "graph/handle_resolver.hpp"
#include "gxr/error.hpp"
#include "gxr/type_info.hpp"

namespace gxr {

/// Checks the value of a parameter against its declaration and resolves the handles in it.
class ValueChecker {
 public:
  ValueChecker(Document& document, HandleResolver& handles, Diagnostics& diagnostics)
      : document_(document), handles_(handles), diagnostics_(diagnostics) {}

  /// Precondition: assignment.info is set. Fills assignment.handles. Replaces a word for a number
  /// by the number, a relative file name by its place in the document's file root, and, with
  /// --compat gxf, a value that GXF reads in a surprising way by GXF's reading.
  void check(const GraphComponent& owner, ParameterAssignment& assignment);

 private:
  struct Subject {
    const GraphComponent& owner;
    ParameterAssignment& assignment;
    const ParameterInfo& info;
    Diagnostics& diagnostics;
    std::vector<std::pair<const Value*, std::string>> replacements;  // YAML text for a scalar
    bool always = false;  // some of them are made without --compat gxf, too
  };

  void check_value(Subject& subject, const Value& value, const ParameterType& type);
  void check_tensor(Subject& subject, const Value& value);
  void check_scalar(Subject& subject, const Value& value, const ParameterType& type);
  bool check_spelling(Subject& subject, const Value& value, const ParameterType& type);
  /// An empty hint: that of the message.
  static void report_unreadable(Subject& subject, const Value& value, const std::string& message,
                                std::string hint);
  void check_number(Subject& subject, const Value& value, double number);
  static bool is_of_gxf(const Subject& subject);
  static bool is_period(const Subject& subject);
  static std::string called(const Subject& subject);
  void check_unit(Subject& subject, const Value& value, const ParameterType& type);
  void place_file(Subject& subject, const Value& value) const;
  static void check_period(Subject& subject, const Value& value, const ParameterType& type);
  static void report_range(Subject& subject, const Value& value, const std::string& range,
                           const std::string& hint = {});
  bool check_outside(Subject& subject, const Value& value, const ParameterType& type,
                     const Error& error);
  static bool take_word(Subject& subject, const Value& value);
  static bool check_word(Subject& subject, const Value& value);
  /// `number` is what the value is read as, if it is a number.
  void check_choices(Subject& subject, const Value& value, const std::vector<Choice>& choices,
                     std::optional<double> number);
  void check_handle(Subject& subject, const Value& value, const ParameterType& type);
  void check_list(Subject& subject, const Value& value, const ParameterType& type);
  /// Reports a key that is no text, and a merge key.
  static bool is_key(Subject& subject, const Value& key, const Value& value);
  void check_map(Subject& subject, const Value& value, const ParameterType& type);
  void check_pair(Subject& subject, const Value& value, const ParameterType& type);
  void replace(Subject& subject);

  Document& document_;
  HandleResolver& handles_;
  Diagnostics& diagnostics_;
};

}  // namespace gxr
