#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "common/expected.hpp"
#include "common/fixed_vector.hpp"

namespace nvidia {

/// A map with room for as many entries as reserve() was told.
template <typename Key, typename T, typename Hash = std::hash<Key>>
class FixedMap {
 public:
  enum struct Error {
    kOutOfMemory,
    kInvalidKey,
    kDuplicateKey,
    kContainerFull,
    kInvalidIterator,
  };

  using key_type = Key;
  using mapped_type = T;
  template <typename V>
  using Expected = nvidia::Expected<V, Error>;
  using Unexpected = nvidia::Unexpected<Error>;

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }

  /// Makes room for so many entries, if there is less.
  Expected<void> reserve(std::size_t capacity) {
    if (capacity <= capacity_) {
      return {};
    }
    Places places;
    // Half of the places stay empty, so that searches end soon.
    if (!places.reserve(capacity * 2) || !places.resize(capacity * 2)) {
      return Unexpected{Error::kOutOfMemory};
    }
    std::swap(places_, places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      Place& old = places.data()[i];
      if (old.has_value()) {
        places_.data()[place_of(old->first)] = std::move(old);
      }
    }
    capacity_ = capacity;
    return {};
  }

  template <typename... Args>
  Expected<T&> emplace(const Key& key, Args&&... args) {
    if (contains(key)) {
      return Unexpected{Error::kDuplicateKey};
    }
    if (full()) {
      return Unexpected{Error::kContainerFull};
    }
    Place& place = places_.data()[place_of(key)];
    place.emplace(std::piecewise_construct, std::forward_as_tuple(key),
                  std::forward_as_tuple(std::forward<Args>(args)...));
    ++size_;
    return place->second;
  }
  Expected<T&> insert(const Key& key, T value) { return emplace(key, std::move(value)); }

  bool contains(const Key& key) const {
    return !places_.empty() && places_.data()[place_of(key)].has_value();
  }

  Expected<T&> at(const Key& key) {
    if (!contains(key)) {
      return Unexpected{Error::kInvalidKey};
    }
    return places_.data()[place_of(key)]->second;
  }
  Expected<const T&> at(const Key& key) const {
    if (!contains(key)) {
      return Unexpected{Error::kInvalidKey};
    }
    return places_.data()[place_of(key)]->second;
  }
  Expected<T&> operator[](const Key& key) { return at(key); }
  Expected<const T&> operator[](const Key& key) const { return at(key); }

  Expected<void> erase(const Key& key) {
    if (!contains(key)) {
      return Unexpected{Error::kInvalidKey};
    }
    std::size_t gap = place_of(key);
    places_.data()[gap].reset();
    --size_;
    // Entries behind the gap move up to where a search for them now ends.
    for (std::size_t i = after(gap); places_.data()[i].has_value(); i = after(i)) {
      Place entry = std::move(places_.data()[i]);
      places_.data()[i].reset();
      places_.data()[place_of(entry->first)] = std::move(entry);
    }
    return {};
  }

  void clear() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      places_.data()[i].reset();
    }
    size_ = 0;
  }

 private:
  struct Entry : std::pair<Key, T> {
    using std::pair<Key, T>::pair;
  };
  using Place = std::optional<Entry>;
  using Places = FixedVector<Place>;

  std::size_t after(std::size_t place) const { return (place + 1) % places_.size(); }

  /// Where a key is, or else would be.
  std::size_t place_of(const Key& key) const {
    std::size_t place = Hash()(key) % places_.size();
    while (places_.data()[place].has_value() && !(places_.data()[place]->first == key)) {
      place = after(place);
    }
    return place;
  }

  Places places_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace nvidia
