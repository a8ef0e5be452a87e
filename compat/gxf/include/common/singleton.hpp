#pragma once

namespace gxf {

/// The one object of a type: each shared library that keeps its symbols to itself has its own.
template <typename T>
class Singleton {
 public:
  Singleton() = delete;

  static T& get() {
    static T object;
    return object;
  }
};

}  // namespace gxf
