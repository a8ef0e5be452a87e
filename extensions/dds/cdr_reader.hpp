#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dds/message_type.hpp"

namespace gxr::dds {

/// Reads a body in CDR (XCDR version 1), in the byte order of this machine. Nothing is read that is
/// not there, whatever the bytes are.
class CdrReader {
 public:
  /// `type` and `body` must outlive it.
  CdrReader(const Description& type, std::span<const std::byte> body) : type_(type), body_(body) {}

  /// `count` numbers of `size` bytes each, where they are. Throws Error(InvalidData).
  std::span<const std::byte> numbers(const Field& field, std::size_t count, std::size_t size);
  /// Number of elements of a sequence, which fit into what is left, whatever they are. Throws
  /// Error(InvalidData).
  std::uint32_t length(const Field& field);
  /// Number of elements of a field: read for a sequence, as length() does, else that of its type.
  std::uint32_t count(const Field& field) {
    return field.form == FieldForm::Sequence ? length(field) : field.length;
  }
  /// All numbers of a field. Throws Error(InvalidData).
  std::span<const std::byte> all_numbers(const Field& field) {
    const std::uint32_t all = count(field);
    return numbers(field, all, size_of(field.kind));
  }
  /// Without the 0 at its end. Throws Error(InvalidData).
  std::string_view text(const Field& field);
  /// Passes over a field. Throws Error(InvalidData).
  void skip(const Field& field);
  /// Throws Error(InvalidData) when more is left than the end of a last word.
  void finish() const;

  /// From the begin of the body.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  [[nodiscard]] std::size_t left() const noexcept { return body_.size() - position_; }
  void align(const Field& field, std::size_t size);
  [[noreturn]] void throw_cut_off(const Field& field) const;
  [[noreturn]] void throw_bad(const Field& field, const std::string& reason) const;

  const Description& type_;
  std::span<const std::byte> body_;
  std::size_t position_ = 0;
};

/// The number at that place, which may be any address.
template <class T>
[[nodiscard]] T read_number(const std::byte* at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Reads the fields of a structure one after the other, as numbers and texts of the types that the
/// caller knows they have: quicker than a tree of nodes. Throws Error(InvalidData) for what is not
/// there.
class FieldReader {
 public:
  /// Reads from where `reader` is. Both must outlive it.
  FieldReader(const Description& type, CdrReader& reader) : type_(type), reader_(reader) {}

  [[nodiscard]] const Description& type() const noexcept { return type_; }

  /// A single number.
  template <class T>
  T number() {
    return read_number<T>(reader_.numbers(next(), 1, sizeof(T)).data());
  }
  /// All numbers of an array or a sequence, where they are.
  std::span<const std::byte> numbers() { return reader_.all_numbers(next()); }
  /// A single text.
  std::string_view text() { return reader_.text(next()); }
  /// Calls `read` with a FieldReader for each structure of a sequence; it must read all fields.
  template <class Read>
  void each(const Read& read) {
    const Field& field = next();
    for (std::uint32_t left = reader_.length(field); left > 0; --left) {
      FieldReader element(*field.structure, reader_);
      read(element);
    }
  }

 private:
  const Field& next() { return type_.fields[next_++]; }

  const Description& type_;
  CdrReader& reader_;
  std::size_t next_ = 0;
};

/// Throws Error(InvalidData) for a body that is no sample of the type.
void check_sample(const Description& type, std::span<const std::byte> body);

/// The numbers of the last field of a sample, where they are; checks all of the body, as
/// check_sample() does.
[[nodiscard]] std::span<const std::byte> last_numbers(const Description& type,
                                                      std::span<const std::byte> body);

/// The content of a sample: its fields, each with its numbers, its text, or nodes of its own. Valid
/// as long as the sample.
struct SampleNode {
  const Field* field = nullptr;        ///< nullptr: the sample itself
  std::size_t count = 1;               ///< elements; 1 of single fields
  std::span<const std::byte> numbers;  ///< at any address
  std::string_view text;               ///< of a single text, or of one in a list
  std::vector<SampleNode> children;    ///< fields of a structure, or elements of a list

  /// The field of a structure. Throws std::logic_error when its type has none.
  [[nodiscard]] const SampleNode& at(std::string_view name) const;
  /// Element `index` of the numbers, which are of type T.
  template <class T>
  [[nodiscard]] T number(std::size_t index = 0) const noexcept {
    return read_number<T>(numbers.data() + index * sizeof(T));
  }
};

/// Throws Error(InvalidData) for a body that is no sample of the type.
[[nodiscard]] SampleNode read_sample(const Description& type, std::span<const std::byte> body);

/// Checks the four bytes before a body, and turns the numbers of a body of the other byte order
/// round, in place. Throws Error: NotSupported for other encodings than CDR, InvalidData.
void make_native(const Description& type, std::span<std::byte> wire);

}  // namespace gxr::dds
