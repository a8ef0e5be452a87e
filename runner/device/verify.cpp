#include "gxr/verify.hpp"

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

/// Any element, byte by byte.
struct Bytes {};

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

template <class F>
auto visit_element_type(ElementType type, F&& use) {
  switch (type) {
    case ElementType::Int8:
      return use(std::int8_t{});
    case ElementType::UInt8:
      return use(std::uint8_t{});
    case ElementType::Int16:
      return use(std::int16_t{});
    case ElementType::UInt16:
      return use(std::uint16_t{});
    case ElementType::Int32:
      return use(std::int32_t{});
    case ElementType::UInt32:
      return use(std::uint32_t{});
    case ElementType::Int64:
      return use(std::int64_t{});
    case ElementType::UInt64:
      return use(std::uint64_t{});
    case ElementType::Float32:
      return use(float{});
    case ElementType::Float64:
      return use(double{});
    case ElementType::Complex64:
      return use(std::complex<float>{});
    case ElementType::Complex128:
      return use(std::complex<double>{});
    case ElementType::Custom:
    case ElementType::Float16:
      break;
  }
  return use(Bytes{});
}

/// A place in a shape, counted in row-major order, with its offsets in two tensors.
class Cursor {
 public:
  Cursor(const Tensor& first, const Tensor& second)
      : first_(first), second_(second), position_(first.rank()) {}

  void advance() {
    for (std::uint32_t d = first_.rank(); d-- > 0;) {
      if (++position_[d] < first_.shape().dimension(d)) {
        offset_first_ += first_.stride(d);
        offset_second_ += second_.stride(d);
        return;
      }
      const auto back = static_cast<std::uint64_t>(position_[d] - 1);
      offset_first_ -= back * first_.stride(d);
      offset_second_ -= back * second_.stride(d);
      position_[d] = 0;
    }
  }

  [[nodiscard]] const std::byte* first() const {
    return static_cast<const std::byte*>(first_.pointer()) + offset_first_;
  }
  [[nodiscard]] const std::byte* second() const {
    return static_cast<const std::byte*>(second_.pointer()) + offset_second_;
  }
  [[nodiscard]] const std::vector<std::int32_t>& position() const { return position_; }

 private:
  const Tensor& first_;
  const Tensor& second_;
  std::vector<std::int32_t> position_;
  std::uint64_t offset_first_ = 0;
  std::uint64_t offset_second_ = 0;
};

/// Elements of type T of two tensors.
template <class T>
class Elements {
 public:
  Elements(const Tensor& tensor, const Tolerance& tolerance)
      : bytes_(tensor.bytes_per_element()), tolerance_(tolerance) {}

  [[nodiscard]] bool agree(const std::byte* first, const std::byte* second) const {
    if constexpr (std::is_same_v<T, Bytes>) {
      return std::memcmp(first, second, bytes_) == 0;
    } else {
      return agree(value(first), value(second));
    }
  }

  [[nodiscard]] std::string text(const std::byte* element) const {
    if constexpr (std::is_same_v<T, Bytes>) {
      std::string digits = "0x";
      for (std::size_t i = bytes_; i-- > 0;) {
        digits += fmt::format("{:02x}", static_cast<unsigned>(element[i]));
      }
      return digits;
    } else if constexpr (IsComplex<T>::value) {
      return fmt::format("{}{:+}j", value(element).real(), value(element).imag());
    } else {
      return fmt::format("{}", value(element));
    }
  }

 private:
  static T value(const std::byte* element) {
    T result;
    std::memcpy(&result, element, sizeof(T));
    return result;
  }

  [[nodiscard]] bool agree(T a, T b) const {
    if (a == b) {
      return true;
    }
    if constexpr (std::is_integral_v<T>) {
      // Exact beyond 2^53, too: the difference is formed in integers.
      const auto apart = a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                               : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
      return static_cast<double>(apart) <= allowed(std::abs(static_cast<double>(a)));
    } else if constexpr (IsComplex<T>::value) {
      return std::abs(std::complex<double>(a) - std::complex<double>(b)) <=
             allowed(std::abs(std::complex<double>(a)));
    } else {
      const bool both_nan = std::isnan(a) && std::isnan(b);
      const double x = a;
      const double y = b;
      return both_nan || (std::isfinite(x) && std::abs(x - y) <= allowed(std::abs(x)));
    }
  }
  [[nodiscard]] double allowed(double magnitude) const {
    return tolerance_.absolute + tolerance_.relative * magnitude;
  }

  std::size_t bytes_;
  Tolerance tolerance_;
};

template <class T>
std::optional<TensorDifference> compare_as(const Tensor& first, const Tensor& second,
                                           const Tolerance& tolerance) {
  const Elements<T> elements(first, tolerance);
  TensorDifference found;
  found.total = first.bytes_per_element() == 0 ? 0 : first.element_count();  // a tensor of nothing
  Cursor cursor(first, second);
  for (std::uint64_t i = 0; i < found.total; ++i, cursor.advance()) {
    if (elements.agree(cursor.first(), cursor.second())) {
      continue;
    }
    if (++found.count == 1) {
      found.position = cursor.position();
      found.first = elements.text(cursor.first());
      found.second = elements.text(cursor.second());
    }
  }
  return found.count == 0 ? std::nullopt : std::optional(std::move(found));
}

void require_readable(const Tensor& tensor) {
  if (tensor.storage_type() == MemoryStorageType::Device) {
    throw Error(ErrorCode::InvalidArgument,
                "a tensor to be compared is in device memory; see copy_to_host()");
  }
}

std::string describe(const Tensor& tensor) {
  return tensor.shape().to_string() + " " + to_string(tensor.element_type());
}

bool same_kind(const Tensor& first, const Tensor& second) {
  return first.shape() == second.shape() && first.element_type() == second.element_type() &&
         first.bytes_per_element() == second.bytes_per_element();
}

/// `tensor`, or a copy of it in `copy`, where the CPU reads it.
const Tensor& readable(const Tensor& tensor, const DeviceWork& work, Tensor& copy) {
  if (tensor.storage_type() != MemoryStorageType::Device) {
    return tensor;
  }
  copy = copy_to_host(tensor, work);
  return copy;
}

std::string tolerance_text(const Tolerance& tolerance) {
  if (tolerance.relative > 0) {
    return fmt::format(" by more than {} + {} of the value", tolerance.absolute,
                       tolerance.relative);
  }
  return tolerance.absolute > 0 ? fmt::format(" by more than {}", tolerance.absolute) : "";
}

[[noreturn]] void throw_difference(const std::string& tensor, const TensorDifference& difference,
                                   const Tolerance& tolerance) {
  throw Error(
      fmt::format("{} is not the same on both: first at [{}], where the CPU has {} and the "
                  "GPU {}; {} of {} elements differ{}",
                  tensor, fmt::join(difference.position, ", "), difference.first, difference.second,
                  difference.count, difference.total, tolerance_text(tolerance)));
}

}  // namespace

std::optional<TensorDifference> compare_tensors(const Tensor& first, const Tensor& second,
                                                const Tolerance& tolerance) {
  require_readable(first);
  require_readable(second);
  if (!same_kind(first, second)) {
    throw Error(ErrorCode::WrongType, "a tensor " + describe(first) +
                                          " cannot be compared with a tensor " + describe(second));
  }
  return visit_element_type(first.element_type(), [&](auto element) {
    return compare_as<decltype(element)>(first, second, tolerance);
  });
}

void verify_result(const Component& component, std::string_view tensor_name,
                   const TwoResults& results, const Tolerance& tolerance) {
  const std::string tensor = fmt::format("--verify: tensor '{}'", tensor_name);
  if (!same_kind(results.cpu, results.gpu)) {
    throw Error(fmt::format("{} is not the same on both: the CPU makes {}, the GPU {}", tensor,
                            describe(results.cpu), describe(results.gpu)));
  }
  Tensor copies[2];
  const Tensor& cpu = readable(results.cpu, results.work, copies[0]);
  const Tensor& gpu = readable(results.gpu, results.work, copies[1]);
  if (results.work) {
    results.work.stream->wait_on_host(results.work.number);
  }
  if (const auto difference = compare_tensors(cpu, gpu, tolerance)) {
    throw_difference(tensor, *difference, tolerance);
  }
  EngineAccess::count_verified(component);
}

}  // namespace gxr
