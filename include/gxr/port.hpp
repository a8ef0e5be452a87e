#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "gxr/export.hpp"
#include "gxr/handle.hpp"
#include "gxr/parameter.hpp"
#include "gxr/queue.hpp"
#include "gxr/type_info.hpp"
#include "gxr/type_name.hpp"

namespace gxr {

class Interface;
enum class ElementType : std::int32_t;
enum class VideoFormat : std::int64_t;

/// Messages of any kind; see Input and Output.
struct AnyMessage {};

/// The base of Input<T> for all T. In YAML, an input port is a parameter that names a receiver.
class InputPort {
 public:
  /// Takes the oldest message. Throws Error(NotAvailable) when there is none. See
  /// Receiver::receive().
  Message receive() const { return receiver().receive(); }
  /// The same, but a null message when there is none.
  Message receive_if_any() const { return receiver().receive_if_any(); }
  /// Does an optional port have a receiver?
  explicit operator bool() const noexcept { return handle_.has_value(); }
  /// Throws Error(InvalidParameter) when an optional port has none.
  [[nodiscard]] Receiver& receiver() const { return *handle_.get(); }
  /// The same as receiver().
  operator Receiver&() const { return receiver(); }  // NOLINT(google-explicit-constructor)
  /// The same as receiver().
  Receiver* operator->() const { return &receiver(); }

 private:
  friend class Interface;
  Parameter<Handle<Receiver>> handle_;
};

/// The base of Output<T> for all T. In YAML, an output port is a parameter that names a
/// transmitter.
class OutputPort {
 public:
  /// Sends the message when the tick has ended. Throws Error(InvalidArgument) for a null message.
  void publish(Message message) const { transmitter().publish(std::move(message)); }
  /// Sets the acquisition time of the part "timestamp", in nanoseconds, and publishes.
  void publish(Message message, std::int64_t acqtime) const {
    transmitter().publish(std::move(message), acqtime);
  }
  /// Does an optional port have a transmitter?
  explicit operator bool() const noexcept { return handle_.has_value(); }
  /// Throws Error(InvalidParameter) when an optional port has none.
  [[nodiscard]] Transmitter& transmitter() const { return *handle_.get(); }
  /// The same as transmitter().
  operator Transmitter&() const { return transmitter(); }  // NOLINT(google-explicit-constructor)
  /// The same as transmitter().
  Transmitter* operator->() const { return &transmitter(); }

 private:
  friend class Interface;
  Parameter<Handle<Transmitter>> handle_;
};

/// An input port as a member of a codelet: messages of it have a part T. `gxr validate` compares
/// that with what the other end of the connection declares. Input<> takes any message.
template <class T = AnyMessage>
class Input final : public InputPort {};

/// An output port as a member of a codelet: messages of it have a part T. Output<> says nothing of
/// its messages.
template <class T = AnyMessage>
class Output final : public OutputPort {};

/// Declares more about a port than key and type. Interface::input and Interface::output return it;
/// chain its functions. Those about a part concern the part declared last:
///   interface.input(in_, "in", "Pictures").elements({ElementType::UInt8}).rank(3);
///   interface.input(scan_, "scan", "Points").part<Tensor>("points").rank(2).part<Pose>("pose");
/// A port that declares nothing fits every other port. An output that declares a part declares all
/// of its parts, unless it calls other_parts().
class GXR_API PortDeclaration {
 public:
  /// The port may stay without a queue.
  PortDeclaration& optional();
  /// A text as long as needed, for people.
  PortDeclaration& description(std::string_view text);

  /// Messages have a part T; of that name, if one is given.
  template <class T>
  PortDeclaration& part(std::string_view name = {}) {
    return add_part(type_name<T>(), name);
  }
  /// Messages have a part T instead of the part declared last; of several in a row, any of them:
  ///   interface.input(in_, "in", "Pictures").or_part<VideoBuffer>();
  template <class T>
  PortDeclaration& or_part(std::string_view name = {}) {
    return add_alternative(type_name<T>(), name);
  }
  /// Name of the part that Input<T> or Output<T> speaks of.
  PortDeclaration& named(std::string_view name);
  /// The part may be missing.
  PortDeclaration& optional_part();
  /// Types of a tensor's elements: those that are taken, or those that may be sent.
  PortDeclaration& elements(std::initializer_list<ElementType> types);
  /// Number of a tensor's dimensions, 0 to 8.
  PortDeclaration& rank(std::uint32_t rank);
  /// A tensor's dimensions, slowest first; below 0: any. They say the rank, too.
  PortDeclaration& dimensions(std::initializer_list<std::int32_t> dimensions);
  /// Formats of a picture: those that are taken, or those that may be sent.
  PortDeclaration& formats(std::initializer_list<VideoFormat> formats);
  /// An output: messages may have parts that are not declared.
  PortDeclaration& other_parts();

 private:
  friend class Interface;

  // Places of the port and its parameter in `info`, which may be null.
  PortDeclaration(TypeInfo* info, std::size_t port, std::size_t parameter) noexcept
      : info_(info), port_(port), parameter_(parameter) {}

  PortDeclaration& add_part(std::string_view type, std::string_view name);
  PortDeclaration& add_alternative(std::string_view type, std::string_view name);
  [[nodiscard]] PortInfo& port() const { return info_->ports[port_]; }
  [[nodiscard]] PartInfo& last_part() const;

  TypeInfo* info_;
  std::size_t port_;
  std::size_t parameter_;
};

}  // namespace gxr
