#include "dds/cdr_reader.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "gxr/error.hpp"

namespace gxr::dds {
namespace {

constexpr std::size_t kHeaderSize = 4;
/// A sample is sent in whole words.
constexpr std::size_t kMostPadding = 3;
constexpr std::size_t kWord = sizeof(std::uint32_t);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
constexpr std::byte kNative{1};
#else
constexpr std::byte kNative{0};
#endif

void read(const Description& type, CdrReader& reader, SampleNode& node);

/// One text or structure.
void read_element(const Field& field, CdrReader& reader, SampleNode& node) {
  if (field.kind == FieldKind::Text) {
    node.text = reader.text(field);
  } else {
    read(*field.structure, reader, node);
  }
}

SampleNode read(const Field& field, CdrReader& reader) {
  SampleNode node;
  node.field = &field;
  node.count = reader.count(field);
  if (const std::size_t size = size_of(field.kind); size > 0) {
    node.numbers = reader.numbers(field, node.count, size);
  } else if (field.form == FieldForm::Single) {
    read_element(field, reader, node);
  } else {
    node.children.resize(node.count);
    for (SampleNode& child : node.children) {
      child.field = &field;
      read_element(field, reader, child);
    }
  }
  return node;
}

void read(const Description& type, CdrReader& reader, SampleNode& node) {
  node.children.reserve(type.fields.size());
  for (const Field& field : type.fields) {
    node.children.push_back(read(field, reader));
  }
}

/// Turns round what a sample of the other byte order holds, in the order in which it is read.
class Turner {
 public:
  Turner(const Description& type, std::span<std::byte> body)
      : type_(type), body_(body), reader_(type, body) {}

  void turn() { turn(type_); }

 private:
  void turn(const Description& type) {
    for (const Field& field : type.fields) {
      turn(field, field.form == FieldForm::Sequence ? length(field) : field.length);
    }
  }

  void turn(const Field& field, std::size_t count) {
    if (const std::size_t size = size_of(field.kind); size > 0) {
      const std::size_t end = reader_.numbers(field, count, size).size();
      for (std::size_t i = 0; size > 1 && i < end; i += size) {
        turn_back(reader_.position() - end + i, size);
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (field.kind == FieldKind::Text) {
        turn_next_word();
        static_cast<void>(reader_.text(field));
      } else {
        turn(*field.structure);
      }
    }
  }

  std::uint32_t length(const Field& field) {
    turn_next_word();
    return reader_.length(field);
  }

  /// The one that the reader reads next; when it is not there, the reader says so.
  void turn_next_word() {
    const std::size_t at = (reader_.position() + kWord - 1) / kWord * kWord;
    if (at + kWord <= body_.size()) {
      turn_back(at, kWord);
    }
  }

  void turn_back(std::size_t at, std::size_t size) {
    std::reverse(body_.begin() + static_cast<std::ptrdiff_t>(at),
                 body_.begin() + static_cast<std::ptrdiff_t>(at + size));
  }

  const Description& type_;
  std::span<std::byte> body_;
  CdrReader reader_;
};

}  // namespace

const SampleNode& SampleNode::at(std::string_view name) const {
  const auto found = std::ranges::find_if(
      children, [&](const SampleNode& child) { return child.field->name == name; });
  if (found == children.end()) {
    throw std::logic_error("there is no field '" + std::string(name) + "'");
  }
  return *found;
}

void CdrReader::throw_cut_off(const Field& field) const {
  throw_bad(field, "it is cut off: it has " + std::to_string(body_.size()) + " bytes");
}

void CdrReader::throw_bad(const Field& field, const std::string& reason) const {
  throw Error(ErrorCode::InvalidData,
              "no sample of " + type_.name + ": at the field '" + field.name + "', " + reason);
}

void CdrReader::align(const Field& field, std::size_t size) {
  const std::size_t gap = -position_ & (size - 1);  // sizes are powers of two
  if (gap > left()) {
    throw_cut_off(field);
  }
  position_ += gap;
}

std::span<const std::byte> CdrReader::numbers(const Field& field, std::size_t count,
                                              std::size_t size) {
  if (count == 0) {
    return {};
  }
  align(field, size);
  if (count * size > left()) {  // a count has 32 bits
    throw_cut_off(field);
  }
  const auto found = body_.subspan(position_, count * size);
  position_ += count * size;
  return found;
}

std::uint32_t CdrReader::length(const Field& field) {
  const auto count = read_number<std::uint32_t>(numbers(field, 1, kWord).data());
  if (count > 0 && count > left() / std::max<std::size_t>(field.least_bytes, 1)) {
    throw_bad(field, "it says that " + std::to_string(count) + " elements follow, and " +
                         std::to_string(left()) + " bytes do");
  }
  return count;
}

std::string_view CdrReader::text(const Field& field) {
  const auto size = read_number<std::uint32_t>(numbers(field, 1, kWord).data());
  if (size > left()) {
    throw_bad(field, "it says that a text of " + std::to_string(size) + " bytes follows, and " +
                         std::to_string(left()) + " do");
  }
  const auto bytes = body_.subspan(position_, size);
  position_ += size;
  if (bytes.empty()) {
    return {};  // some leave out the 0 of an empty text
  }
  if (bytes.back() != std::byte{0}) {
    throw_bad(field, "a text does not end with 0");
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size() - 1);
  if (text.find('\0') != std::string_view::npos) {
    throw_bad(field, "a text has a 0 in it");
  }
  return text;
}

void CdrReader::skip(const Field& field) {
  if (size_of(field.kind) > 0) {
    static_cast<void>(all_numbers(field));
    return;
  }
  for (std::uint32_t left = count(field); left > 0; --left) {
    if (field.kind == FieldKind::Text) {
      static_cast<void>(text(field));
    } else {
      for (const Field& inner : field.structure->fields) {
        skip(inner);
      }
    }
  }
}

void CdrReader::finish() const {
  if (left() > kMostPadding) {
    throw Error(ErrorCode::InvalidData, "no sample of " + type_.name + ": " +
                                            std::to_string(left()) +
                                            " bytes follow behind its last field");
  }
}

void check_sample(const Description& type, std::span<const std::byte> body) {
  CdrReader reader(type, body);
  for (const Field& field : type.fields) {
    reader.skip(field);
  }
  reader.finish();
}

std::span<const std::byte> last_numbers(const Description& type, std::span<const std::byte> body) {
  CdrReader reader(type, body);
  const std::span before = std::span(type.fields).first(type.fields.size() - 1);
  for (const Field& field : before) {
    reader.skip(field);
  }
  const auto found = reader.all_numbers(type.fields.back());
  reader.finish();
  return found;
}

SampleNode read_sample(const Description& type, std::span<const std::byte> body) {
  CdrReader reader(type, body);
  SampleNode node;
  read(type, reader, node);
  reader.finish();
  return node;
}

void make_native(const Description& type, std::span<std::byte> wire) {
  if (wire.size() < kHeaderSize) {
    throw Error(ErrorCode::InvalidData, "no sample of " + type.name + ": it has " +
                                            std::to_string(wire.size()) +
                                            " bytes, fewer than name the encoding");
  }
  if (wire[0] != std::byte{0} || (wire[1] | std::byte{1}) != std::byte{1}) {
    throw Error(
        ErrorCode::NotSupported,
        "a sample of " + type.name + " is encoded in another way (" +
            std::to_string(std::to_integer<int>(wire[0]) << 8 | std::to_integer<int>(wire[1])) +
            ") than plain CDR of version 1 (0 or 1)");
  }
  if (wire[1] != kNative) {
    Turner(type, wire.subspan(kHeaderSize)).turn();
    wire[1] = kNative;
  }
}

}  // namespace gxr::dds
