#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gxr/error.hpp"

namespace gxr {

// Values as bytes for another process of the same program: a structure says what it has by a
// function visit_fields(archive, value), which serves for both ways.

template <class T>
concept PlainNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends values to bytes.
class ByteWriter {
 public:
  template <class T>
  void operator()(const T& value) {
    if constexpr (PlainNumber<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      visit_fields(*this, const_cast<T&>(value));  // which only reads it
    }
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes_ += text;
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    for (const T& value : values) {
      (*this)(value);
    }
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) {
      (*this)(*value);
    }
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads them again. Throws Error(InvalidData) when there are too few.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (PlainNumber<T>) {
      require(sizeof(value));
      std::memcpy(&value, bytes_.data(), sizeof(value));
      bytes_.remove_prefix(sizeof(value));
    } else {
      visit_fields(*this, value);
    }
  }
  void operator()(std::string& text) {
    const std::size_t size = read_size();
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    values.resize(read_size());  // each takes a byte at least
    for (T& value : values) {
      (*this)(value);
    }
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool is_there = false;
    (*this)(is_there);
    if (is_there) {
      (*this)(value.emplace());
    }
  }

 private:
  std::size_t read_size() {
    std::size_t size = 0;
    (*this)(size);
    require(size);
    return size;
  }
  void require(std::size_t bytes) const {
    if (bytes > bytes_.size()) {
      throw Error(ErrorCode::InvalidData, "bytes end amid a value");
    }
  }

  std::string_view bytes_;
};

template <class T>
std::string to_bytes(const T& value) {
  ByteWriter writer;
  writer(value);
  return writer.take();
}

/// Throws Error(InvalidData).
template <class T>
T from_bytes(std::string_view bytes) {
  T value{};
  ByteReader reader(bytes);
  reader(value);
  return value;
}

}  // namespace gxr
