#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kParameterTable = {
    DiagnosticInfo{
        DiagnosticCode::UnknownType, "unknown-type", kError, false, "no extension has this type",
        R"(The value of 'type' is the full name of a type, with its namespace and in the right case.
'gxr list types' shows all that the known extensions have. A type of an extension of your own is
found when its library is named with -x or in the app's 'extensions'. A type is reported once, with
the number of its uses; if three or more types of one unknown namespace are missing, gxr reports
them in one message.

wrong:
    - type: nvidia::gxf::PingTxx

right:
    - type: nvidia::gxf::PingTx)"},
    DiagnosticInfo{
        DiagnosticCode::AbstractType, "abstract-type", kError, false,
        "a type can only be a base of others",
        R"(The type describes what several components have in common, for handles; a component needs
one of the types that are made from it. 'gxr describe TYPE' lists them.

wrong:
    - type: nvidia::gxf::Receiver

right:
    - type: nvidia::gxf::DoubleBufferReceiver)"},
    DiagnosticInfo{
        DiagnosticCode::NotAComponent, "not-a-component", kWarning, false, "a type is no component",
        R"(The type is one of the data types that messages are made of. GXF lets an entity have one all
the same, and so does gxr, but nothing uses it. With --compat gxf this is not reported.

wrong:
    - type: nvidia::gxf::Tensor

right:
    - type: nvidia::gxf::DoubleBufferTransmitter)"},
    DiagnosticInfo{
        DiagnosticCode::UnknownParameter, "unknown-parameter", kError, true,
        "a type has no parameter of this name",
        R"(Keys of 'parameters' are the parameters of the component's type. GXF only warns and goes
on with the default of the parameter that was meant. 'gxr describe TYPE' lists all of them.

wrong:
    - type: nvidia::gxf::DoubleBufferReceiver
      parameters:
        capcity: 2

right:
    - type: nvidia::gxf::DoubleBufferReceiver
      parameters:
        capacity: 2)"},
    DiagnosticInfo{
        DiagnosticCode::ParametersIgnored, "parameters-ignored", kError, false,
        "a component takes none of the parameters that it is given",
        R"(With --compat gxf a single unknown parameter is a warning. When a component knows none of
the parameters that the files give it, it would run with its defaults, as if nothing were
configured: it probably has only its name in common with the type that the author means.
'gxr describe TYPE' lists the parameters of a type. Types that have no parameters at all are exempt,
and so are CPUThread, ThreadPool and GPUDevice, which only say how an app uses the machine.

wrong:
    - type: nvidia::gxf::CountSchedulingTerm
      parameters:
        ticks: 10

right:
    - type: nvidia::gxf::CountSchedulingTerm
      parameters:
        count: 10)"},
    DiagnosticInfo{
        DiagnosticCode::ParameterValue, "parameter-value", kError, false,
        "a value does not have the type of its parameter",
        R"(The value cannot be read as what the parameter is: a number, a boolean, a list of such and
so on. The message says what is accepted. A single value is not taken for a list of one.

wrong:
    - type: nvidia::gxf::CountSchedulingTerm
      parameters:
        count: ten

right:
    - type: nvidia::gxf::CountSchedulingTerm
      parameters:
        count: 10)"},
    DiagnosticInfo{
        DiagnosticCode::ParameterRange, "parameter-range", kError, true,
        "a number is outside of its parameter's range",
        R"(The parameter has a smallest or a largest value, or takes a few numbers only, which
'gxr describe TYPE' shows. GXF does not check ranges when it loads a file; such a value fails
later, or is used as something else.

wrong:
    - type: nvidia::gxf::DoubleBufferReceiver
      parameters:
        capacity: 0

right:
    - type: nvidia::gxf::DoubleBufferReceiver
      parameters:
        capacity: 1)"},
    DiagnosticInfo{
        DiagnosticCode::ParameterChoice, "parameter-choice", kError, false,
        "a value is none of its parameter's choices",
        R"(The parameter takes one of a few values, spelt exactly like the choices that the message
lists. Where the choices are numbers with names, 0 (pop: ...), the name will do as well, in upper or
lower case.

wrong:
    - type: nvidia::gxf::Broadcast
      parameters:
        mode: round_robin

right:
    - type: nvidia::gxf::Broadcast
      parameters:
        mode: RoundRobin)"},
    DiagnosticInfo{
        DiagnosticCode::ParameterTwice, "parameter-twice", kError, true,
        "a file sets the parameters of a component twice",
        R"(One file has two entries for the same component. GXF silently uses the first one, even when
it has no parameters at all. Put all parameters into one entry, or the second entry into a file of
its own, which is the way to write parameter files.

wrong:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
    - name: signal
      parameters:
        capacity: 2

right:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
      parameters:
        capacity: 2)"},
    DiagnosticInfo{
        DiagnosticCode::ParameterMissing, "parameter-missing", kError, false,
        "a parameter that is needed has no value",
        R"(The parameter has no default and is not optional, so every component of the type has to set
it, in the file, in a parameter file or with --param. '<Unspecified>' counts as no value.

wrong:
    - type: nvidia::gxf::PingTx

right:
    - type: nvidia::gxf::PingTx
      parameters:
        signal: signal)"},
    DiagnosticInfo{
        DiagnosticCode::GxfSpelling, "gxf-spelling", kError, true,
        "GXF reads this value as something else than it says",
        R"(GXF has rules by which some values become others without a word: a leading 0 means octal digits
(010 is 8), a negative number for an unsigned parameter wraps around, a number above 255 for a uint8
loses its upper bits. gxr asks for the value that is meant; the last two are out of range to it. With
--compat gxf it uses GXF's value and warns.

wrong:
    min_size: 010

right:
    min_size: 10)"},
    DiagnosticInfo{
        DiagnosticCode::MissingUnit, "missing-unit", kWarning, false,
        "a duration or size is a number without a unit",
        R"(A duration without a unit is in nanoseconds and a size in megabytes, as in GXF. Both are rarely what a
bare number is meant to be. Types with GXF's names ('nvidia::...') and --compat gxf take bare numbers
without a word.

wrong:
    name: greet
    operator: hello::Greeter
    period: 20

right:
    name: greet
    operator: hello::Greeter
    period: 20ms)"},
    DiagnosticInfo{
        DiagnosticCode::ShortPeriod, "short-period", kWarning, false,
        "a term is to let its entity tick more than a million times a second",
        R"(No entity ticks so often, so the term never makes it wait. A period of less than a microsecond
is usually one in another unit. Types with GXF's names ('nvidia::...') and --compat gxf take it
without a word.

wrong:
    name: greet
    operator: hello::Greeter
    period: 20ns

right:
    name: greet
    operator: hello::Greeter
    period: 20ms)"},
};

}  // namespace

std::span<const DiagnosticInfo> parameter_diagnostics() { return kParameterTable; }

}  // namespace gxr
