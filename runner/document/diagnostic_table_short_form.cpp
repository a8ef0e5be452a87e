#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kShortFormTable = {
    DiagnosticInfo{
        DiagnosticCode::OperatorAndComponents, "operator-and-components", kError, true,
        "a document has both 'operator' and 'components'",
        R"(A document is in the short form, with 'operator', or in GXF's form, with 'components'. In the
short form, further components of the entity stand below 'terms'. GXF does not know 'operator', so
with --compat gxf 'components' counts.

wrong:
    name: greet
    operator: hello::Greeter
    components:
    - type: gxr::CountSchedulingTerm
      parameters: {count: 3}

right:
    name: greet
    operator: hello::Greeter
    count: 3)"},
    DiagnosticInfo{
        DiagnosticCode::OperatorNotCodelet, "operator-not-codelet", kError, false,
        "the type of an 'operator' is no codelet",
        R"(The operator of a short document does the work of its entity, so its type is a codelet.
Allocators, clocks, schedulers and other components stand below 'components' of a document of their
own.

wrong:
    name: memory
    operator: gxr::UnboundedAllocator

right:
    name: memory
    components:
    - {name: pool, type: gxr::UnboundedAllocator})"},
    DiagnosticInfo{
        DiagnosticCode::UnknownPort, "unknown-port", kError, false,
        "'inputs' or 'ports' names a port that the type does not have",
        R"(The keys of 'inputs' are input ports of the operator's type, those of 'ports' are input and
output ports. Some types, such as Gather and Broadcast, leave the names of their ports free.

wrong:
    name: greet
    operator: hello::Greeter
    inputs: {input: source}

right:
    name: greet
    operator: hello::Greeter
    inputs: {in: source})"},
    DiagnosticInfo{
        DiagnosticCode::InputSource, "input-source", kError, false,
        "an input names an entity that has no output, or several",
        R"(A value of 'inputs' is the name of an entity with one output, or 'entity/output'. An entity with
several outputs needs the second form, which says which one is meant.

wrong:
    name: store
    operator: gxr::image::Writer
    inputs: {in: separate}          # has the outputs 'left' and 'right'

right:
    name: store
    operator: gxr::image::Writer
    inputs: {in: separate/left})"},
    DiagnosticInfo{
        DiagnosticCode::ShortFormValue, "short-form-value", kError, false,
        "a key of the short form has a wrong value",
        R"('operator' is the name of a type, 'inputs' a map from ports to entities or lists of entities,
'ports' a map from ports to settings ('capacity', 'min_size', 'policy'), 'terms' a list of components.

wrong:
    name: greet
    operator: hello::Greeter
    inputs: source
    ports: {in: 4}

right:
    name: greet
    operator: hello::Greeter
    inputs: {in: source}
    ports: {in: {capacity: 4}})"},
    DiagnosticInfo{
        DiagnosticCode::NameTaken, "name-taken", kError, false,
        "a name is one that the short form gives itself",
        R"(The short form makes components and entities with fixed names: the codelet 'operator', queues by
the names of their ports, the terms 'PORT_available', 'PORT_free', 'count', 'period' and 'end', and the
entities 'gxr.memory', 'gxr.scheduler' and 'gxr.connections'. Another component or entity of such an application needs
another name.

wrong:
    name: greet
    operator: hello::Greeter
    count: 3
    terms:
    - {name: count, type: gxr::BooleanSchedulingTerm}

right:
    name: greet
    operator: hello::Greeter
    count: 3
    terms:
    - {name: enabled, type: gxr::BooleanSchedulingTerm})"},
    DiagnosticInfo{
        DiagnosticCode::LaunchSyntax, "launch-syntax", kError, false,
        "the line of gxr launch is not well formed",
        R"(A line is a chain of elements with '!' between them, or several chains one behind the other. An
element is the type of a codelet; behind it stand KEY=VALUE, which sets a parameter, and :KEY=VALUE,
which sets what the short form calls 'name', 'inputs', 'ports', 'count', 'period' or 'terms'. A value
is YAML; one with blanks stands in quotes or brackets. In a shell, single quotes around the line keep
'!' and the quotes inside of it.

wrong:
    gxr launch '! image::Source count=4 ! ! image::Writer path="a b.png'

right:
    gxr launch 'image::Source count=4 ! image::Writer path="a b.png"')"},
    DiagnosticInfo{
        DiagnosticCode::LaunchName, "launch-name", kError, false,
        "a line of gxr launch names no element, or two alike",
        R"(':name=NAME' gives an element a name, and 'NAME.' refers to that element elsewhere in the line. An
element without a name is called like its type: 'writer', the second one 'writer_2'. A name has
letters, digits, '_' and '-', and belongs to one element.

wrong:
    gxr launch 'image::Source count=4 ! Broadcast :name=t ! image::Writer path=a.png tee. ! image::Writer path=b.png'

right:
    gxr launch 'image::Source count=4 ! Broadcast :name=t ! image::Writer path=a.png t. ! image::Writer path=b.png')"},
    DiagnosticInfo{
        DiagnosticCode::LaunchLink, "launch-link", kError, false,
        "two elements of a line of gxr launch cannot be joined",
        R"('!' joins the output of an element to the input of the next. An element with several outputs or
inputs needs the name of the port: 'NAME.PORT' begins or ends a chain at that port. 'gxr describe TYPE'
lists the ports of a type.

wrong:
    gxr launch 'image::Writer path=a.png ! image::Source count=4'

right:
    gxr launch 'image::Source count=4 ! image::Writer path=a.png')"},
};

}  // namespace

std::span<const DiagnosticInfo> short_form_diagnostics() { return kShortFormTable; }

}  // namespace gxr
