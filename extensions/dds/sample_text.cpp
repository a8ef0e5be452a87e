#include "dds/sample_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "dds/cdr_reader.hpp"
#include "dds/number_parts.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/tensor.hpp"
#include "gxr/timestamp.hpp"

namespace gxr::dds {
namespace {

std::string real_text(double value) {
  if (std::isnan(value)) {
    return ".nan";
  }
  return std::isinf(value) ? (value < 0 ? "-.inf" : ".inf") : shortest_text(value);
}

std::string single_text(float value) {
  if (!std::isfinite(value)) {
    return real_text(value);
  }
  std::array<char, 64> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

/// One number, at any address.
std::string number_text(FieldKind kind, const std::byte* at) {
  switch (kind) {
    case FieldKind::Boolean:
      return *at != std::byte{0} ? "true" : "false";
    case FieldKind::Int8:
      return std::to_string(read_number<std::int8_t>(at));
    case FieldKind::UInt8:
      return std::to_string(read_number<std::uint8_t>(at));
    case FieldKind::Int16:
      return std::to_string(read_number<std::int16_t>(at));
    case FieldKind::UInt16:
      return std::to_string(read_number<std::uint16_t>(at));
    case FieldKind::Int32:
      return std::to_string(read_number<std::int32_t>(at));
    case FieldKind::UInt32:
      return std::to_string(read_number<std::uint32_t>(at));
    case FieldKind::Int64:
      return std::to_string(read_number<std::int64_t>(at));
    case FieldKind::UInt64:
      return std::to_string(read_number<std::uint64_t>(at));
    case FieldKind::Float32:
      return single_text(read_number<float>(at));
    case FieldKind::Float64:
      return real_text(read_number<double>(at));
    default:
      return {};
  }
}

/// The character of UTF-8 that a text begins with.
struct Letter {
  std::uint32_t number = 0;
  std::size_t bytes = 1;
  bool is_whole = false;  ///< else `number` is that of its first byte, which is no UTF-8
};

Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = byte(0) < 0x80                      ? 1
                           : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                           : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                           : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                               : 0;
  const Letter none{byte(0), 1, false};
  if (size < 2 || size > text.size()) {
    return {byte(0), 1, size == 1};
  }
  std::uint32_t number = byte(0) & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return none;
    }
    number = (number << 6U) | (byte(i) & 0x3fU);
  }
  const bool is_shortest = size == 2 || (size == 3 ? number >= 0x800 : number >= 0x10000);
  return is_shortest && number <= 0x10ffff && (number < 0xd800 || number >= 0xe000)
             ? Letter{number, size, true}
             : none;
}

/// May it stand on a terminal and in a line of YAML? No control, and nothing that turns the order
/// of letters or ends a line.
bool is_printable(const Letter& letter) {
  const std::uint32_t number = letter.number;
  return letter.is_whole && number >= 0x20 && !(number >= 0x7f && number < 0xa0) &&
         !(number >= 0x2028 && number <= 0x202e) && !(number >= 0x2066 && number <= 0x2069) &&
         number != 0xfeff;
}

/// As YAML has it: "\x1b", "\u2028".
std::string escaped(std::uint32_t number) {
  const std::size_t digits = number < 0x100 ? 2 : number < 0x10000 ? 4 : 8;
  std::string text = digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
  for (std::size_t i = digits; i > 0; --i) {
    text += "0123456789abcdef"[(number >> (4 * (i - 1))) & 15U];
  }
  return text;
}

/// In quotes. Bytes that are no UTF-8 are escaped as the letters of their numbers: those of others
/// may be anything.
std::string yaml_quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.number == '"' || letter.number == '\\') {
      result += std::string("\\") + text.front();
    } else if (is_printable(letter)) {
      result += text.substr(0, letter.bytes);
    } else {
      result += escaped(letter.number);
    }
    text.remove_prefix(letter.bytes);
  }
  return result + "\"";
}

std::string list_text(FieldKind kind, const std::byte* first, std::size_t count, std::size_t most) {
  const std::size_t shown = most == 0 ? count : std::min(count, most);
  std::string text = "[";
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i > 0 ? ", " : "") + number_text(kind, first + i * size_of(kind));
  }
  return text + (shown < count ? ", … " + std::to_string(count - shown) + " more]" : "]");
}

class Printer {
 public:
  explicit Printer(std::size_t most) : most_(most) {}

  void print(const SampleNode& node, std::size_t depth) {
    for (const SampleNode& child : node.children) {
      text_ += std::string(2 * depth, ' ') + child.field->name + ":";
      print_value(child, depth);
    }
  }

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  void print_value(const SampleNode& node, std::size_t depth) {
    const Field& field = *node.field;
    if (size_of(field.kind) > 0) {
      text_ += field.form == FieldForm::Single
                   ? " " + number_text(field.kind, node.numbers.data()) + "\n"
                   : " " + list_text(field.kind, node.numbers.data(), node.count, most_) + "\n";
    } else if (field.form != FieldForm::Single) {
      print_list(node, depth);
    } else if (field.kind == FieldKind::Text) {
      text_ += " " + yaml_quoted(node.text) + "\n";
    } else {
      text_ += "\n";
      print(node, depth + 1);
    }
  }

  void print_list(const SampleNode& node, std::size_t depth) {
    text_ += node.children.empty() ? " []\n" : "\n";
    for (const SampleNode& child : node.children) {
      const std::string indent(2 * depth, ' ');
      if (node.field->kind == FieldKind::Text) {
        text_ += indent + "- " + yaml_quoted(child.text) + "\n";
        continue;
      }
      const std::size_t begin = text_.size();
      print(child, depth + 1);
      text_.replace(begin, indent.size() + 2, indent + "- ");
    }
  }

  std::size_t most_;
  std::string text_;
};

std::optional<FieldKind> kind_of(ElementType type) {
  for (int number = 0; number < static_cast<int>(FieldKind::Text); ++number) {
    const auto kind = static_cast<FieldKind>(number);
    if (kind != FieldKind::Boolean && element_type(kind) == type) {
      return kind;
    }
  }
  return std::nullopt;
}

std::string tensor_text(const Tensor& tensor, std::size_t most) {
  std::string text = "{shape: " + tensor.shape().to_string() +
                     ", elements: " + gxr::to_string(tensor.element_type());
  const auto kind = kind_of(tensor.element_type());
  if (kind && tensor.is_contiguous() && tensor.size() > 0) {
    const HostView view(tensor);
    text += ", values: " + list_text(*kind, view.pointer(), tensor.element_count(), most);
  }
  return text + "}";
}

std::string part_text(const gxr::detail::Part& part, std::size_t most) {
  if (const auto kind = number_kind(part.id)) {
    return number_text(*kind, static_cast<const std::byte*>(part.data));
  }
  if (part.id == TypeIdOf<Tensor>::value) {
    return tensor_text(*static_cast<const Tensor*>(part.data), most);
  }
  if (part.id == TypeIdOf<VideoBuffer>::value) {
    const VideoBufferInfo& info = static_cast<const VideoBuffer*>(part.data)->info();
    return std::string("{format: ") + gxr::to_string(info.format) +
           ", width: " + std::to_string(info.width) + ", height: " + std::to_string(info.height) +
           "}";
  }
  if (part.id == TypeIdOf<Timestamp>::value) {
    const auto& time = *static_cast<const Timestamp*>(part.data);
    return "{published: " + std::to_string(time.pubtime) +
           ", acquired: " + std::to_string(time.acqtime) + "}";
  }
  return part.id == TypeIdOf<Text>::value ? yaml_quoted(static_cast<const Text*>(part.data)->value)
                                          : yaml_quoted(part.operations->type_name());
}

}  // namespace

std::string sample_text(const Sample& sample, std::size_t most_values) {
  Printer printer(most_values);
  printer.print(read_sample(*sample.type, sample.body()), 0);
  return std::move(printer).text();
}

std::string message_text(const Message& message, std::size_t most_values) {
  std::string text;
  for (const gxr::detail::Part& part : message) {
    text += yaml_quoted(part.name) + ": " + part_text(part, most_values) + "\n";
  }
  return text.empty() ? "{}\n" : text;
}

}  // namespace gxr::dds
