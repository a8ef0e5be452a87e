#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <nanobind/nanobind.h>

#include "array.hpp"
#include "gxr/message.hpp"

namespace gxr::python {

/// A message, as Python sees it.
struct MessageView {
  MessageView(Message shown, const Holders& holders) noexcept
      : holder(holders), message(std::move(shown)) {}

  Holder holder;  // goes behind the message
  Message message;
  bool is_new = false;  ///< made by new_message(), not yet published, without time and number
};

/// The form in which messages of a port come to Python and leave it, as its annotation says.
enum class Content : std::uint8_t {
  Message,  ///< as they are
  Tensor,   ///< their first tensor
  Value,    ///< their first number or text
  Picture,  ///< their first picture
  Sound,    ///< their first sound
  Auto,     ///< their tensor, number or text, if that is the only one; else the message
};

/// The message for Python. Throws Error(NotFound) when it has no such part.
nb::object from_message(Message message, Content content, const Holders& holders);

/// Adds a part: a tensor of an array, of a TensorView without a copy, a picture, a sound, or a
/// number or text. With a
/// `type`, such as "int32", numbers become that. Throws Error(WrongType) for anything else.
void add_part(Message& message, nb::handle value, std::string_view name, std::string_view type);

/// Is it a message itself? Then it is published as it is.
MessageView* as_message(nb::handle value);

/// C++ name of the type of a part that Python calls "int64", …; by that name.
nb::dict part_types();

/// Adds MessageView to the module.
void bind_message(nb::module_& module);

}  // namespace gxr::python
