#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kFileTable = {
    DiagnosticInfo{
        DiagnosticCode::FileNotFound, "file-not-found", kError, false, "a file does not exist",
        R"(A file that was named on the command line or in a manifest does not exist. Relative
paths count from the folder in which the command runs, as they do in GXF.

wrong:
    gxr run aps/develop/develop.yaml

right:
    gxr run apps/develop/develop.yaml)"},
    DiagnosticInfo{
        DiagnosticCode::FileUnreadable, "file-unreadable", kError, false, "a file cannot be read",
        R"(The file exists, but the system does not let gxr read it: it is a folder, its permissions
forbid it, or the device failed; the message then ends with the system's own words. Or it is '-',
standard input, named a second time: that can be read only once. Files have at most 256 MiB. One
that another file names (a subgraph) must be a regular file, no pipe or device; so must one that is
watched, which has at most 4 MiB. `gxr replay-info --format json` says it, too, of a recording for
which no new index can be made.

wrong:
    gxr run apps/develop/         # a folder

right:
    gxr run apps/develop/develop.yaml)"},
    DiagnosticInfo{
        DiagnosticCode::OutOfMemory, "out-of-memory", kError, false,
        "there is not enough memory to read or plan the application",
        R"(The system gave gxr no more memory (a limit of the shell, of a container, or all that the machine
has) while it read the file that the message names, or put the application together. Nothing was
run. An application takes some ten times the bytes of its files.

wrong:
    ulimit -v 300000; gxr run huge.yaml

right:
    ulimit -v unlimited; gxr run huge.yaml)"},
    DiagnosticInfo{
        DiagnosticCode::YamlSyntax, "yaml-syntax", kError, false, "a text is not valid YAML",
        R"(The text breaks a rule of YAML, so what it means is not known. The usual reasons are keys
of one map that do not start in the same column, a tab used for indentation, a no-break space or
another character that only looks like a space (from a web page or a chat), a value with ': ' that
is not quoted, or a quote or bracket that is never closed. The rest of that YAML document is
skipped; documents after the next '---' are still read. The app is
checked further when all of it can be read.

wrong:
    name: tx
    components:
    - type: nvidia::gxf::PingTx
     name: signal

right:
    name: tx
    components:
    - type: nvidia::gxf::PingTx
      name: signal)"},
    DiagnosticInfo{
        DiagnosticCode::EmptyFile, "empty-file", kWarning, false, "a file holds no document",
        R"(The file is empty or has comments only. That is allowed, but rarely meant: perhaps the
file was not saved, or a wrong one was named.

wrong:
    # ping.yaml
    ---

right:
    # ping.yaml
    ---
    name: tx
    components:
    - type: nvidia::gxf::PingTx)"},
    DiagnosticInfo{
        DiagnosticCode::DocumentNotMap, "document-not-map", kError, false,
        "a YAML document is not a map",
        R"(Each document of an app file is a map with keys such as 'name' and 'components'. This one is
a list or a single value. Often the line 'components:' is missing above a list.

wrong:
    - type: nvidia::gxf::PingTx

right:
    name: tx
    components:
    - type: nvidia::gxf::PingTx)"},
    DiagnosticInfo{
        DiagnosticCode::TooManyAliasNodes, "too-many-alias-nodes", kError, false,
        "aliases make a document too large",
        R"(An alias (*name) stands for everything that its anchor (&name) marks. Aliases of values
that hold aliases multiply, so a short text can stand for billions of values, or for values nested
without end. gxr follows four million values of aliases in all, 490 levels deep.

wrong:
    a: &a [x, x, x, x, x, x, x, x, x, x]
    b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
    c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]   # and so on

right:
    a: &a [x, x, x]
    b: *a)"},
    DiagnosticInfo{
        DiagnosticCode::DuplicateKey, "duplicate-key", kError, true, "a map has the same key twice",
        R"(A key stands once in a map. GXF takes the first 'name' and 'type', but the last of equal
parameters, and says nothing; gxr reports both places. With --compat gxf this is a warning and the
same values win as in GXF.

wrong:
    parameters:
      capacity: 1
      policy: 0
      capacity: 2

right:
    parameters:
      capacity: 2
      policy: 0)"},
    DiagnosticInfo{
        DiagnosticCode::UnknownDocumentKey, "unknown-document-key", kError, true,
        "a document has an unknown key",
        R"(The keys of a document are 'name', 'components', 'interfaces', 'prerequisites',
'start_order', 'EntityGroups', 'extensions', 'on_failure', 'deadline' and 'rank'; keys that other tools use, such as
'dependencies' and 'ui_property', are passed over. With 'operator' in the place of 'components', the short form, there
are 'parameters', 'inputs', 'ports', 'count', 'period' and 'terms' as well. Any other key is most
likely misspelt, and GXF would ignore it.

wrong:
    name: tx
    component:
    - type: nvidia::gxf::PingTx

right:
    name: tx
    components:
    - type: nvidia::gxf::PingTx)"},
    DiagnosticInfo{
        DiagnosticCode::UnknownComponentKey, "unknown-component-key", kError, true,
        "a component has an unknown key",
        R"(An entry of 'components' has the keys 'name', 'type' and 'parameters'. Any other key is
most likely misspelt, or a parameter that stands outside of 'parameters'; GXF would ignore it.

wrong:
    - type: nvidia::gxf::DoubleBufferReceiver
      capacity: 2

right:
    - type: nvidia::gxf::DoubleBufferReceiver
      parameters:
        capacity: 2)"},
    DiagnosticInfo{DiagnosticCode::ComponentsNotList, "components-not-list", kError, false,
                   "'components' is not a list",
                   R"(The value of 'components' is a list: each component starts with '- '.

wrong:
    components:
      type: nvidia::gxf::PingTx

right:
    components:
    - type: nvidia::gxf::PingTx)"},
    DiagnosticInfo{
        DiagnosticCode::ComponentNotMap, "component-not-map", kError, false,
        "an entry of 'components' is not a map",
        R"(Each entry of 'components' is a map with at least the key 'type', or 'name' to refer to a
component that exists already.

wrong:
    components:
    - nvidia::gxf::PingTx

right:
    components:
    - type: nvidia::gxf::PingTx)"},
    DiagnosticInfo{
        DiagnosticCode::ComponentWithoutType, "component-without-type", kError, false,
        "a component has no type",
        R"(An entry with 'type' makes a component. An entry with only 'name' sets parameters of a
component of that name that the same entity has already; here there is none, or the entry has
neither key.

wrong:
    components:
    - name: signal
      parameters:
        capacity: 2

right:
    components:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
      parameters:
        capacity: 2)"},
    DiagnosticInfo{
        DiagnosticCode::ParametersNotMap, "parameters-not-map", kError, false,
        "'parameters' is not a map",
        R"(The value of 'parameters' is a map from keys to values. Leave the key out when there is
nothing to set: GXF, too, refuses an empty 'parameters:'.

wrong:
    - type: nvidia::gxf::PingTx
      parameters:

right:
    - type: nvidia::gxf::PingTx
      parameters:
        signal: signal)"},
    DiagnosticInfo{
        DiagnosticCode::InvalidName, "invalid-name", kError, false, "a name cannot be used",
        R"(A name is a single text. Names of entities that start with two underscores are kept for
entities without a name, as in GXF.

wrong:
    name: __camera

right:
    name: camera)"},
    DiagnosticInfo{
        DiagnosticCode::NameWithSlash, "name-with-slash", kWarning, false, "a name has a '/' in it",
        R"(A handle 'entity/component' is divided at its first '/', and there is no way to write
a '/' that belongs to a name. So nothing can refer to this entity or component by its name.

wrong:
    name: camera/left

right:
    name: camera.left)"},
    DiagnosticInfo{
        DiagnosticCode::StartOrder, "start-order", kError, true,
        "'start_order' does not fit the file",
        R"('start_order' lists the names of entities in the order in which they are made. A file has it
once; every name in it has to be an entity of that file, and stands once.

wrong:
    start_order: [rx, txx]
    ---
    name: tx
    ---
    name: rx

right:
    start_order: [rx, tx]
    ---
    name: tx
    ---
    name: rx)"},
    DiagnosticInfo{
        DiagnosticCode::EntityGroup, "entity-group", kError, false,
        "an entity group does not fit the entities",
        R"('EntityGroups' is a list of groups with a 'name' and a list 'target' of entities. Every entity
is in exactly one group; naming it twice in a group, or naming an entity that does not exist, is an
error in GXF as well.

wrong:
    EntityGroups:
    - name: workers
      target: [tx, tx]

right:
    EntityGroups:
    - name: workers
      target: [tx, rx])"},
    DiagnosticInfo{
        DiagnosticCode::InterfaceWithoutParent, "interface-without-parent", kError, false,
        "'interfaces' stands in a file that is no subgraph",
        R"('interfaces' gives names to components of a subgraph, for the entity that includes it. A file
that is run directly is not included by any entity, so there is nobody to give the names to.

wrong:
    # in the app file
    interfaces:
    - name: out
      target: tx/signal

right:
    # in a file that a nvidia::gxf::Subgraph component names as its location
    interfaces:
    - name: out
      target: tx/signal)"},
    DiagnosticInfo{
        DiagnosticCode::InterfaceInvalid, "interface-invalid", kError, false,
        "an interface or prerequisite is not in order",
        R"('interfaces' is a list of maps with 'name' and 'target'; the target, like the value of a
prerequisite, is written 'entity/component'.

wrong:
    interfaces:
    - name: out
      target: signal

right:
    interfaces:
    - name: out
      target: tx/signal)"},
    DiagnosticInfo{
        DiagnosticCode::SubgraphRecursion, "subgraph-recursion", kError, false,
        "a subgraph includes itself",
        R"(The file of a subgraph includes, itself or by way of other files, the same file again, so the
application would never end. The message lists the files on the way. GXF does not notice and never
finishes loading.

wrong:
    # camera.yaml
    name: left
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: camera.yaml}

right:
    # stereo.yaml
    name: left
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: camera.yaml})"},
    DiagnosticInfo{
        DiagnosticCode::SubgraphsTooLarge, "subgraphs-too-large", kError, false,
        "subgraphs that include subgraphs multiply",
        R"(Subgraphs put more than 250,000 YAML documents into the application; what they include after
that is left out. A file that includes two files, each of which includes two, and so on, doubles
with every level: thirty levels are a thousand million entities.

wrong:
    # level_1.yaml; level_2.yaml includes level_3.yaml twice, and so on to level_30.yaml
    name: left
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: level_2.yaml}
    ---
    name: right
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: level_2.yaml}

right:
    # level_1.yaml
    name: left
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: camera.yaml}
    ---
    name: right
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: camera.yaml})"},
    DiagnosticInfo{
        DiagnosticCode::SubgraphDocument, "component-beside-subgraph", kError, true,
        "a component stands beside a subgraph",
        R"(A document with a Subgraph component can only have that, and entries without a type, which set
parameters of components that the subgraph shows in its interface. GXF logs an error, goes on
without the component, and the application does something else than its file says. Put the component
into a document of its own.

wrong:
    name: camera
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: camera.yaml}
    - type: nvidia::gxf::CountSchedulingTerm
      parameters: {count: 10}

right:
    name: camera
    components:
    - type: nvidia::gxf::Subgraph
      parameters: {location: camera.yaml})"},
    DiagnosticInfo{
        DiagnosticCode::PrerequisiteMissing, "prerequisite-missing", kError, true,
        "a subgraph does not get what it needs",
        R"(The file of the subgraph lists, under 'prerequisites', components that it needs from whoever
includes it; it calls them 'prerequisites/NAME'. The Subgraph component that includes it has to name
each of them in its own parameter 'prerequisites'. GXF warns, and fails only where one is used.

wrong:
    # camera.yaml has: prerequisites: [{name: clock}]
    - type: nvidia::gxf::Subgraph
      parameters: {location: camera.yaml}

right:
    - type: nvidia::gxf::Subgraph
      parameters:
        location: camera.yaml
        prerequisites: {clock: scheduler/clock})"},
};

}  // namespace

std::span<const DiagnosticInfo> file_diagnostics() { return kFileTable; }

}  // namespace gxr
