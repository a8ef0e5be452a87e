#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/type_id.hpp"

namespace gxr {

/// One allowed value of an enumeration or of a parameter with choices.
struct Choice {
  std::string name;         ///< as written in YAML, for example "RoundRobin" or "0"
  std::string description;  ///< one line, may be empty
};

/// The type of a parameter, as data: what YAML it accepts.
struct ParameterType {
  /// What kind of YAML it is.
  enum class Kind : std::uint8_t {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
    Complex64,
    Complex128,
    String,    ///< text; `length` is the greatest number of bytes, 0 for no bound
    File,      ///< path of a file or folder; a string
    Duration,  ///< text with a unit: "50ms", "2s", "30Hz", "1000" (ns); see spec A.6
    Size,      ///< text with a unit: "4MB"
    Handle,    ///< reference to a component; `name` is the (base) type it must have
    Enum,      ///< one of `choices`, exact
    List,      ///< any number of of[0]; `length` is the greatest length, 0 for no bound
    Array,     ///< exactly `length` times of[0]
    Map,       ///< map from text to of[0]
    Pair,      ///< two elements of[0], of[1]
    Any,  ///< any YAML; `name` is the C++ type for the reader, checked when the component is made
  };

  Kind kind = Kind::Any;          ///< says which of the members below count
  std::string name;               ///< of Handle and Any: a C++ type
  std::vector<ParameterType> of;  ///< of List, Array, Map and Pair: types of the elements
  std::size_t length = 0;         ///< of String, List and Array
  std::vector<Choice> choices;    ///< of Enum
};

/// Spelling for people and for the types section: "int32", "string<5>", "handle<gxr::Receiver>",
/// "list<float64>", "array<int32, 3>", "map<string>", "pair<string, int64>", "enum", "any".
GXR_API std::string to_string(const ParameterType& type);

/// What a component says of one of its parameters.
struct ParameterInfo {
  std::string key;                           ///< in YAML
  ParameterType type;                        ///< what YAML it accepts
  std::string headline;                      ///< one line
  std::string description;                   ///< as long as needed, may be empty
  std::string unit;                          ///< "ms", "bytes", …; empty when there is none
  std::optional<std::string> default_value;  ///< YAML text
  std::optional<double> minimum;             ///< inclusive; of durations in ns, of sizes in bytes
  std::optional<double> maximum;             ///< likewise
  std::optional<double> step;                ///< documentation only
  std::vector<Choice> choices;               ///< allowed values of a number or string; empty: all
  bool optional = false;                     ///< may stay without a value
  bool dynamic = false;                      ///< may be changed while the application runs
};

/// A part of the messages of a port, as far as the port declares it. Empty: not known, or any.
struct PartInfo {
  std::string type;                   ///< C++ name of the part's type, "gxr::Tensor"
  std::string name;                   ///< of the part; empty: any
  bool optional = false;              ///< may be missing
  bool alternative = false;           ///< messages may have it instead of the part before
  std::vector<std::string> elements;  ///< "float32", …: types of a tensor's elements, any of them
  std::optional<std::uint32_t> rank;  ///< of a tensor
  std::vector<std::int32_t> dimensions;  ///< of a tensor, slowest first; below 0: any
  std::vector<std::string> formats;      ///< "RGB", …: formats of a picture, any of them
};

/// A port of a codelet: a parameter that names a receiver or transmitter.
struct PortInfo {
  /// Which way messages go.
  enum class Direction : std::uint8_t { Input, Output };
  std::string key;                         ///< the parameter's key
  Direction direction = Direction::Input;  ///< into the codelet or out of it
  std::vector<PartInfo> parts;             ///< empty: nothing is known of the messages
  bool other_parts = false;  ///< an output: messages may have parts that are not declared
};

/// What a type says of itself that gxr has to know before a component of it exists, and the
/// parameters that hold the particulars. The functions of Interface declare it.
struct Capability {
  /// What is declared.
  enum class Kind : std::uint8_t {
    PassesMessages,        ///< a codelet; see Interface::passes_messages()
    PassesEachMessage,     ///< a codelet; see Interface::passes_each_message()
    TakesAllMessages,      ///< a codelet; see Interface::takes_all_messages()
    Publishes,             ///< a codelet; see Interface::publishes()
    PublishesAllMessages,  ///< a codelet; see Interface::publishes_all_messages()
    TellsShapes,           ///< a codelet that is a ShapeInference; found by gxr-declare
    PlainQueue,            ///< see Interface::plain_queue()
    JoinsTopic,            ///< a queue; see Interface::joins_topic()
    RemoteQueue,           ///< see Interface::remote_queue()
    DevicePort,            ///< a queue that is a cuda::DevicePort; found by gxr-declare
    WaitsForMessages,      ///< a scheduling term; see Interface::waits_for_messages()
    WaitsForRoom,          ///< a scheduling term; see Interface::waits_for_room()
    LimitsTicks,           ///< a scheduling term; see Interface::limits_ticks()
    SwitchesTicks,         ///< a scheduling term; see Interface::switches_ticks()
    PacesTicks,            ///< a scheduling term; see Interface::paces_ticks()
    Polls,                 ///< a scheduling term; see Interface::polls()
    LooksForInput,         ///< see Interface::looks_for_input()
    BranchIf,              ///< see Interface::branch_if()
    BranchSwitch,          ///< see Interface::branch_switch()
    BranchWhile,           ///< see Interface::branch_while()
    BranchEvery,           ///< see Interface::branch_every()
  };
  /// How many kinds there are.
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::BranchEvery) + 1;

  /// What the type declares.
  Kind kind = Kind::PassesMessages;
  /// Keys, in the order of the function's arguments; empty text: there is no such parameter.
  std::vector<std::string> parameters;
  std::string value;  ///< PassesEachMessage: what its parameter must be

  /// The key of one of its parameters; empty when there is none.
  [[nodiscard]] std::string_view key(std::size_t index) const noexcept {
    return index < parameters.size() ? std::string_view(parameters[index]) : std::string_view{};
  }
};

/// All that is known of a registered type without running its code.
struct TypeInfo {
  std::string name;                  ///< "gxr::DoubleBufferReceiver"
  std::vector<std::string> aliases;  ///< "nvidia::gxf::DoubleBufferReceiver"
  std::string base;                  ///< name of the base type; empty for roots and for data types
  TypeId id;                         ///< in recordings and messages
  std::string headline;              ///< one line
  std::string description;           ///< as long as needed, may be empty
  bool abstract = false;             ///< cannot be written in YAML; only a base for handles
  bool component = true;             ///< false: a data type for messages
  bool capturable = false;           ///< a codelet that is a GraphOperator too
  std::vector<Capability> capabilities;   ///< in the order of declare()
  std::vector<ParameterInfo> parameters;  ///< in the order of declare()
  std::vector<PortInfo> ports;            ///< in the order of declare()
  std::string extension;                  ///< name of the extension that holds it
  /// For gxr-declare, of an abstract codelet that Extension::add() got: what it lacks, as far as
  /// that can be seen. Not kept in the file.
  std::optional<std::string> why_abstract;

  /// The capability of that kind, or nullptr.
  [[nodiscard]] const Capability* find(Capability::Kind kind) const noexcept {
    for (const Capability& capability : capabilities) {
      if (capability.kind == kind) {
        return &capability;
      }
    }
    return nullptr;
  }
};

}  // namespace gxr
