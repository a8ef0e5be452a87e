#include "graph/value_checker.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "document/choice_words.hpp"
#include "document/form_rules.hpp"
#include "document/map_keys.hpp"
#include "document/no_handles.hpp"
#include "document/number_text.hpp"
#include "document/scalar_rules.hpp"
#include "document/yaml_text.hpp"
#include "graph/gxf_spelling.hpp"
#include "graph/short_form.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/parameter.hpp"
#include "gxr/plain_text.hpp"
#include "registry/parameter_text.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

using Kind = ParameterType::Kind;

constexpr std::int64_t kShortestPeriod = 1000;  // nanoseconds
/// A period that is a smaller number, without a unit, is hardly meant in nanoseconds.
constexpr double kNumberInNanoseconds = 1e6;

/// Without exponent where the digits of an integer are exact: a range reads better so.
std::string number_text(double number) {
  constexpr double kLastExact = 0x1p53;
  return std::floor(number) == number && std::abs(number) <= kLastExact
             ? std::to_string(static_cast<std::int64_t>(number))
             : detail::yaml_of(number);
}

std::string range_text(const ParameterInfo& info) {
  const std::string unit = info.unit.empty() ? "" : " " + info.unit;
  if (info.minimum && info.maximum) {
    return "between " + bound_text(info, *info.minimum) + " and " +
           bound_text(info, *info.maximum) + unit;
  }
  return info.minimum ? "at least " + bound_text(info, *info.minimum) + unit
                      : "at most " + bound_text(info, *info.maximum) + unit;
}

bool has_range(const ParameterInfo& info) { return info.minimum || info.maximum; }

std::string choices_text(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    text += (text.empty() ? "" : ", ") + choice.name;
    if (!choice.description.empty() && choice.name.size() < 3) {
      text += " (" + choice.description + ")";
    }
  }
  return text;
}

/// YAML text of `value` with some scalars replaced.
std::string to_yaml(const Value& value,
                    const std::vector<std::pair<const Value*, std::string>>& replacements) {
  const auto found =
      std::ranges::find(replacements, &value, &std::pair<const Value*, std::string>::first);
  if (found != replacements.end()) {
    return found->second;
  }
  if (!value.is_sequence() && !value.is_map()) {
    return value.to_yaml();
  }
  std::string text(1, value.is_map() ? '{' : '[');
  for (std::size_t i = 0; i < value.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += value.is_map()
                ? yaml_key(value.key(i).to_yaml()) + to_yaml(value.value(i), replacements)
                : to_yaml(value.at(i), replacements);
  }
  return text + (value.is_map() ? '}' : ']');
}

/// "in ns: write 10000000" for 10ms, a duration, where a number of nanoseconds is declared.
std::string number_for(const Value& value, const ParameterType& type, const ParameterInfo& info) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  const auto* const unit =
      std::ranges::find(kUnits, info.unit, &std::pair<std::string_view, double>::first);
  const std::optional<Quantity> quantity = read_quantity(value.text());
  if (unit == std::end(kUnits) || !quantity || quantity->unit.empty() || quantity->unit == "hz") {
    return {};
  }
  NoHandles none;
  try {
    const auto time = static_cast<double>(detail::parse_duration(value, none).nanoseconds);
    const double number = time / unit->second;
    const bool real = type.kind == Kind::Float32 || type.kind == Kind::Float64;
    return real || std::floor(number) == number
               ? "in " + info.unit + ": write " + number_text(number)
               : std::string();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void ValueChecker::check(const GraphComponent& owner, ParameterAssignment& assignment) {
  Subject subject{owner, assignment, *assignment.info, diagnostics_, {}, false};
  check_value(subject, *assignment.value, assignment.info->type);
  if (subject.always || (!subject.replacements.empty() && diagnostics_.compat_gxf())) {
    replace(subject);
  }
}

void ValueChecker::replace(Subject& subject) {
  const Location where = subject.assignment.value->location();
  subject.assignment.value = &document_.make_value(
      to_yaml(*subject.assignment.value, subject.replacements), where.source, where);
  subject.assignment.handles.clear();
  Diagnostics reported_before;  // all that is wrong with the value has been said
  Subject again{subject.owner, subject.assignment, subject.info, reported_before, {}, false};
  check_value(again, *subject.assignment.value, subject.info.type);
}

void ValueChecker::check_value(Subject& subject, const Value& value, const ParameterType& type) {
  switch (type.kind) {
    case Kind::Handle:
      return check_handle(subject, value, type);
    case Kind::List:
    case Kind::Array:
      return check_list(subject, value, type);
    case Kind::Map:
      return check_map(subject, value, type);
    case Kind::Pair:
      return check_pair(subject, value, type);
    case Kind::Any:
      if (type.name == ParameterTraits<TensorSpec>::type().name) {
        check_tensor(subject, value);
      }
      return;
    default:
      return check_scalar(subject, value, type);
  }
}

void ValueChecker::check_tensor(Subject& subject, const Value& value) {
  NoHandles none;
  try {
    static_cast<void>(ParameterTraits<TensorSpec>::parse(value, none));
  } catch (const Error& error) {
    subject.diagnostics.add(DiagnosticCode::ParameterValue, value,
                            called(subject) + ": " + error.message(),
                            "write it like {shape: [1080, 1920], dtype: uint16}");
  }
}

void ValueChecker::check_scalar(Subject& subject, const Value& value, const ParameterType& type) {
  if (type.kind == Kind::Enum) {
    check_choices(subject, value, type.choices, std::nullopt);
    return;
  }
  if (is_octal(value.text()) && check_spelling(subject, value, type)) {
    return;
  }
  try {
    const std::optional<double> number = read_scalar(value, type, subject.info);
    if (number) {
      check_number(subject, value, *number);
    }
    check_unit(subject, value, type);
    check_period(subject, value, type);
    if (type.kind == Kind::File) {
      place_file(subject, value);
    }
    if (!subject.info.choices.empty()) {
      check_choices(subject, value, subject.info.choices,
                    is_quantity(type) ? std::nullopt : number);
    }
  } catch (const Error& error) {
    if (!take_word(subject, value) && !check_outside(subject, value, type, error) &&
        !check_spelling(subject, value, type) && !check_word(subject, value)) {
      report_unreadable(subject, value, error.message(), number_for(value, type, subject.info));
    }
  }
}

/// The scalar rules say what is wrong and, behind a semicolon, what they accept.
void ValueChecker::report_unreadable(Subject& subject, const Value& value,
                                     const std::string& message, std::string hint) {
  const std::size_t end = message.find("; accepted: ");
  if (hint.empty() && end != std::string::npos) {
    hint = message.substr(end + 2);
  }
  subject.diagnostics.add(DiagnosticCode::ParameterValue, value,
                          called(subject) + ": " + message.substr(0, end), std::move(hint));
}

/// Reports a value that GXF reads as another than it seems; false when GXF refuses it too.
bool ValueChecker::check_spelling(Subject& subject, const Value& value, const ParameterType& type) {
  const bool is_real = type.kind == Kind::Float32 || type.kind == Kind::Float64;
  if (is_real && !subject.diagnostics.compat_gxf()) {
    return false;  // out of range, as a number that is too large
  }
  const std::optional<GxfReading> reading = gxf_reading(value, type.kind);
  if (reading) {
    subject.replacements.emplace_back(&value, reading->value);
    subject.diagnostics.add(
        DiagnosticCode::GxfSpelling, value,
        called(subject) + ": GXF reads " + in_quotes(value.text()) + " as " + reading->value +
            " (" + reading->reason + ")",
        reading->advice + ", or " + reading->value + " if GXF's reading is meant");
  }
  return reading.has_value();
}

void ValueChecker::check_number(Subject& subject, const Value& value, double number) {
  const ParameterInfo& info = subject.info;
  if (!in_range(info, number)) {
    report_range(subject, value, range_text(info));
  }
}

/// GXF's applications say durations in nanoseconds; elsewhere a bare number is rarely meant so.
bool ValueChecker::is_of_gxf(const Subject& subject) {
  return subject.diagnostics.compat_gxf() || subject.owner.type_name.starts_with("nvidia::");
}

void ValueChecker::check_unit(Subject& subject, const Value& value, const ParameterType& type) {
  const bool duration = type.kind == Kind::Duration;
  if ((!duration && type.kind != Kind::Size) || is_of_gxf(subject)) {
    return;
  }
  const std::optional<Quantity> quantity = read_quantity(value.text());
  if (!quantity || !quantity->unit.empty() || quantity->number == 0) {
    return;
  }
  const std::string number(value.text());
  const char* const unit = duration ? "ns" : "MB";
  const bool rate = is_period(subject) && quantity->number < kNumberInNanoseconds;
  subject.diagnostics.add(
      DiagnosticCode::MissingUnit, value,
      called(subject) + ": " + number + " has no unit, and is taken as " + number + " " + unit,
      rate ? "write " + number + "ms or " + number + "Hz"
           : "write " + number + unit + ", or another unit");
}

/// Of a term that paces the ticks of its entity.
bool ValueChecker::is_period(const Subject& subject) {
  const Capability* const paces = subject.owner.capability(Capability::Kind::PacesTicks);
  return paces != nullptr && paces->key(0) == subject.info.key;
}

/// As the file calls it: the short form has a key of its own for the period.
std::string ValueChecker::called(const Subject& subject) {
  const bool is_key = subject.owner.written != 0 && subject.owner.name == kShortPeriod &&
                      is_period(subject) && !subject.assignment.overridden;
  return in_quotes(is_key ? kShortPeriod : std::string_view(subject.info.key));
}

/// No entity ticks once in less than a microsecond, so another unit is meant. A number without a
/// unit was reported.
void ValueChecker::check_period(Subject& subject, const Value& value, const ParameterType& type) {
  if (type.kind != Kind::Duration || !is_period(subject) || is_of_gxf(subject)) {
    return;
  }
  const std::optional<Quantity> quantity = read_quantity(value.text());
  NoHandles context;
  if (quantity && !quantity->unit.empty() &&
      detail::parse_duration(value, context).nanoseconds < kShortestPeriod) {
    subject.diagnostics.add(
        DiagnosticCode::ShortPeriod, value,
        called(subject) + ": " + std::string(value.text()) +
            " is less than a microsecond, and no entity ticks so often",
        "write a longer period (10ms, 30Hz), or leave the term out for as often as possible");
  }
}

/// The place is absolute, so a value that is checked again stays where it is.
void ValueChecker::place_file(Subject& subject, const Value& value) const {
  const fs::path name(value.text());
  if (document_.file_root().empty() || name.empty() || name.is_absolute()) {
    return;
  }
  const std::string place =
      (fs::absolute(document_.file_root()) / name).lexically_normal().string();
  subject.replacements.emplace_back(&value, detail::yaml_of(place));
  subject.always = true;
}

void ValueChecker::report_range(Subject& subject, const Value& value, const std::string& range,
                                const std::string& hint) {
  subject.diagnostics.add(
      DiagnosticCode::ParameterRange, value,
      called(subject) + " must be " + range + ", but is " + std::string(value.text()), hint);
}

/// Reports an integer that its type cannot hold; false for all that is no such integer. GXF takes
/// some of those for other numbers, which only who means that needs to know.
bool ValueChecker::check_outside(Subject& subject, const Value& value, const ParameterType& type,
                                 const Error& error) {
  if (type.kind < Kind::Int8 || type.kind > Kind::UInt64) {
    return false;
  }
  const std::optional<GxfReading> reading = gxf_reading(value, type.kind);
  if (reading && subject.diagnostics.compat_gxf()) {
    return false;
  }
  if (!subject.info.choices.empty()) {
    const std::optional<double> number =
        reading ? std::optional(plain_number(reading->value)) : std::nullopt;
    const auto is_meant = [&](const Choice& choice) { return is_choice(choice, value, number); };
    if (std::ranges::none_of(subject.info.choices, is_meant) &&
        (reading || error.code() == ErrorCode::OutOfRange)) {
      check_choices(subject, value, subject.info.choices, number.value_or(0.0));
      return true;
    }
  }
  const bool usable = reading && in_range(subject.info, plain_number(reading->value));
  if (has_range(subject.info) && !usable && (reading || error.code() == ErrorCode::OutOfRange)) {
    report_range(subject, value, range_text(subject.info));
    return true;
  }
  if (!usable || reading->range.empty()) {
    return false;
  }
  report_range(subject, value, has_range(subject.info) ? range_text(subject.info) : reading->range,
               "GXF takes it for " + reading->value + ": write that if it is meant");
  return true;
}

/// A number that has a word may be written by it.
bool ValueChecker::take_word(Subject& subject, const Value& value) {
  const Choice* meant = value.is_scalar() ? find_word(subject.info.choices, value.text()) : nullptr;
  if (meant != nullptr) {
    subject.replacements.emplace_back(&value, meant->name);
    subject.always = true;
  }
  return meant != nullptr;
}

/// Some other word where numbers with words are meant.
bool ValueChecker::check_word(Subject& subject, const Value& value) {
  std::vector<std::string_view> words;
  for (const Choice& choice : subject.info.choices) {
    if (const std::string_view word = word_of(choice); !word.empty()) {
      words.push_back(word);
    }
  }
  if (words.empty() || !value.is_scalar()) {
    return false;
  }
  const std::string hint = suggestion(value.text(), words);
  const std::string allowed = "one of: " + choices_text(subject.info.choices);
  subject.diagnostics.add(DiagnosticCode::ParameterChoice, value,
                          called(subject) + " cannot be " + in_quotes(value.text()),
                          hint.empty() ? allowed : hint + " (" + allowed + ")");
  return true;
}

void ValueChecker::check_choices(Subject& subject, const Value& value,
                                 const std::vector<Choice>& choices, std::optional<double> number) {
  const auto matches = [&](const Choice& choice) { return is_choice(choice, value, number); };
  if (value.is_scalar() && std::ranges::any_of(choices, matches)) {
    return;
  }
  std::vector<std::string_view> names;
  for (const Choice& choice : choices) {
    names.emplace_back(choice.name);
  }
  const std::string allowed = "one of: " + choices_text(choices);
  if (!value.is_scalar()) {
    subject.diagnostics.add(DiagnosticCode::ParameterValue, value,
                            called(subject) + " needs a single value", allowed);
    return;
  }
  const std::string text = called(subject) + " cannot be " + in_quotes(value.text());
  if (number) {
    subject.diagnostics.add(DiagnosticCode::ParameterRange, value, text, allowed);
    return;
  }
  const std::string hint = suggestion(value.text(), names);
  subject.diagnostics.add(DiagnosticCode::ParameterChoice, value, text,
                          hint.empty() ? allowed : hint + " (" + allowed + ")");
}

void ValueChecker::check_handle(Subject& subject, const Value& value, const ParameterType& type) {
  const std::optional<ComponentId> target =
      handles_.resolve(subject.owner, subject.assignment, type.name, value, subject.diagnostics);
  if (target) {
    subject.assignment.handles.push_back({&value, *target});
  }
}

void ValueChecker::check_list(Subject& subject, const Value& value, const ParameterType& type) {
  const std::string key = called(subject);
  const Lengths lengths = lengths_of(type);
  const FormFlaw flaw = flaw_of_list(value, lengths);
  if (flaw == FormFlaw::Kind) {
    subject.diagnostics.add(
        DiagnosticCode::ParameterValue, value, key + " needs a list (" + to_string(type) + ")",
        value.is_scalar() ? "write [" + value.to_yaml() + "]" : "write [first, second]");
    return;
  }
  if (flaw == FormFlaw::Length) {
    subject.diagnostics.add(
        DiagnosticCode::ParameterValue, value,
        key + " needs " + (lengths.least == lengths.most ? "exactly " : "at most ") +
            std::to_string(lengths.most) + " elements, but has " + std::to_string(value.size()));
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    check_value(subject, value.at(i), type.of.front());
  }
}

void ValueChecker::check_map(Subject& subject, const Value& value, const ParameterType& type) {
  if (flaw_of_map(value) != FormFlaw::None) {
    subject.diagnostics.add(DiagnosticCode::ParameterValue, value,
                            called(subject) + " needs a map (" + to_string(type) + ")",
                            "write {name: value}");
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (is_key(subject, value.key(i), value.value(i))) {
      check_value(subject, value.value(i), type.of.front());
    }
  }
}

bool ValueChecker::is_key(Subject& subject, const Value& key, const Value& value) {
  const std::string name = called(subject);
  const std::string flaw = flaw_of_key(key);
  if (!flaw.empty()) {
    subject.diagnostics.add(DiagnosticCode::ParameterValue, key, name + ": " + flaw);
  } else if (merges(key, value)) {
    subject.diagnostics.add(DiagnosticCode::ParameterValue, key, name + " has the key '<<'",
                            kMergeKeyHint);
  } else {
    return true;
  }
  return false;
}

void ValueChecker::check_pair(Subject& subject, const Value& value, const ParameterType& type) {
  if (flaw_of_list(value, lengths_of(type)) != FormFlaw::None) {
    subject.diagnostics.add(DiagnosticCode::ParameterValue, value,
                            called(subject) + " needs two elements (" + to_string(type) + ")",
                            "write [first, second]");
    return;
  }
  check_value(subject, value.at(0), type.of.at(0));
  check_value(subject, value.at(1), type.of.at(1));
}

}  // namespace gxr
