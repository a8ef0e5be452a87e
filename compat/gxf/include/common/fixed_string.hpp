#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <string_view>

#include "common/expected.hpp"

namespace nvidia {

/// A text of at most N characters, which it contains.
template <std::size_t N>
class FixedString {
 public:
  enum struct Error {
    kArgumentNull,
    kExceedingPreallocatedSize,
  };

  template <typename V>
  using Expected = nvidia::Expected<V, Error>;
  using Unexpected = nvidia::Unexpected<Error>;

  /// For containers of the C++ library.
  struct Hash {
    std::size_t operator()(const FixedString& text) const {
      return std::hash<std::string_view>()(text.view());
    }
  };

  FixedString() = default;
  template <std::size_t M>
  FixedString(const char (&text)[M]) {
    take(text);
  }
  template <std::size_t M>
  FixedString(const FixedString<M>& other) {
    static_assert(M <= N, "the other text may be too long");
    set(other.data(), other.size());
  }
  template <std::size_t M>
  FixedString& operator=(const char (&text)[M]) {
    take(text);
    return *this;
  }
  template <std::size_t M>
  FixedString& operator=(const FixedString<M>& other) {
    static_assert(M <= N, "the other text may be too long");
    set(other.data(), other.size());
    return *this;
  }

  std::size_t size() const { return size_; }
  std::size_t length() const { return size_; }
  constexpr std::size_t max_size() const { return N; }
  /// With the NUL at the end.
  constexpr std::size_t capacity() const { return N + 1; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == N; }
  const char* data() const { return characters_; }
  const char* c_str() const { return characters_; }
  void clear() { set("", 0); }

  Expected<void> append(const char* text, std::size_t count) {
    if (text == nullptr) {
      return Unexpected{Error::kArgumentNull};
    }
    if (count > N - size_) {
      return Unexpected{Error::kExceedingPreallocatedSize};
    }
    std::memmove(characters_ + size_, text, count);
    size_ += count;
    characters_[size_] = '\0';
    return {};
  }
  template <std::size_t M>
  Expected<void> append(const char (&text)[M]) {
    return append(text, ::strnlen(text, M));
  }
  template <std::size_t M>
  Expected<void> append(const FixedString<M>& other) {
    return append(other.data(), other.size());
  }
  Expected<void> append(char character) { return append(&character, 1); }

  /// Takes a text in the place of its own.
  Expected<void> copy(const char* text, std::size_t count) {
    if (text == nullptr) {
      return Unexpected{Error::kArgumentNull};
    }
    if (count > N) {
      return Unexpected{Error::kExceedingPreallocatedSize};
    }
    set(text, count);
    return {};
  }

  /// Less than 0, 0 or more, as of strcmp.
  template <std::size_t M>
  int compare(const FixedString<M>& other) const {
    return view().compare(std::string_view(other.data(), other.size()));
  }
  int compare(const char* text) const { return view().compare(text); }

 private:
  std::string_view view() const { return {characters_, size_}; }

  template <std::size_t M>
  void take(const char (&text)[M]) {
    static_assert(M <= N + 1, "the text is too long");
    set(text, ::strnlen(text, M));
  }
  void set(const char* text, std::size_t count) {
    std::memmove(characters_, text, count);
    size_ = count;
    characters_[size_] = '\0';
  }

  char characters_[N + 1] = {};
  std::size_t size_ = 0;
};

template <std::size_t N, std::size_t M>
bool operator==(const FixedString<N>& a, const FixedString<M>& b) {
  return a.compare(b) == 0;
}
template <std::size_t N, std::size_t M>
bool operator!=(const FixedString<N>& a, const FixedString<M>& b) {
  return a.compare(b) != 0;
}
template <std::size_t N, std::size_t M>
bool operator<(const FixedString<N>& a, const FixedString<M>& b) {
  return a.compare(b) < 0;
}
template <std::size_t N, std::size_t M>
bool operator>(const FixedString<N>& a, const FixedString<M>& b) {
  return a.compare(b) > 0;
}
template <std::size_t N, std::size_t M>
bool operator<=(const FixedString<N>& a, const FixedString<M>& b) {
  return a.compare(b) <= 0;
}
template <std::size_t N, std::size_t M>
bool operator>=(const FixedString<N>& a, const FixedString<M>& b) {
  return a.compare(b) >= 0;
}

template <std::size_t N>
bool operator==(const FixedString<N>& a, const char* b) {
  return a.compare(b) == 0;
}
template <std::size_t N>
bool operator!=(const FixedString<N>& a, const char* b) {
  return a.compare(b) != 0;
}
template <std::size_t N>
bool operator<(const FixedString<N>& a, const char* b) {
  return a.compare(b) < 0;
}
template <std::size_t N>
bool operator>(const FixedString<N>& a, const char* b) {
  return a.compare(b) > 0;
}
template <std::size_t N>
bool operator<=(const FixedString<N>& a, const char* b) {
  return a.compare(b) <= 0;
}
template <std::size_t N>
bool operator>=(const FixedString<N>& a, const char* b) {
  return a.compare(b) >= 0;
}
template <std::size_t N>
bool operator==(const char* a, const FixedString<N>& b) {
  return b.compare(a) == 0;
}
template <std::size_t N>
bool operator!=(const char* a, const FixedString<N>& b) {
  return b.compare(a) != 0;
}

}  // namespace nvidia
