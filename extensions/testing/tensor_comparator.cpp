#include "tensor_comparator.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/plain_text.hpp"
#include "tensor_text.hpp"

namespace gxr::testing {
namespace {

[[noreturn]] void differ(const std::string& what, const std::string& expected,
                         const std::string& actual) {
  throw Error(ErrorCode::InvalidData, what + ": expected " + expected + ", actual " + actual);
}

void require_equal(const std::string& what, std::int64_t expected, std::int64_t actual) {
  if (expected != actual) {
    differ(what, std::to_string(expected), std::to_string(actual));
  }
}

void require_equal(const std::string& what, std::string_view expected, std::string_view actual) {
  if (expected != actual) {
    differ(what, "'" + std::string(expected) + "'", "'" + std::string(actual) + "'");
  }
}

void compare_layouts(const std::string& name, const Tensor& expected, const Tensor& actual) {
  if (!(expected.shape() == actual.shape()) || expected.element_type() != actual.element_type()) {
    differ(name, describe(expected), describe(actual));
  }
  require_equal("bytes per element of " + name,
                static_cast<std::int64_t>(expected.bytes_per_element()),
                static_cast<std::int64_t>(actual.bytes_per_element()));
}

/// "[1, 2]": where element `index` in row-major order lies.
std::string position(const Shape& shape, std::uint64_t index) {
  std::string text;
  for (std::uint32_t i = shape.rank(); i-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(shape.dimension(i));
    text = std::to_string(index % extent) + (text.empty() ? "" : ", ") + text;
    index /= extent;
  }
  return "[" + text + "]";
}

/// Two elements that read alike also show their bytes.
std::string element_difference(const Tensor& expected, const std::byte* a, const Tensor& actual,
                               const std::byte* b) {
  std::string should_be = element_text(expected, a, 0);
  std::string is = element_text(actual, b, 0);
  if (should_be == is) {
    should_be += " (bytes " + element_bytes(expected, a) + ")";
    is += " (bytes " + element_bytes(actual, b) + ")";
  }
  return "expected " + should_be + ", actual " + is;
}

void compare_elements(const std::string& name, const Tensor& expected, const Tensor& actual,
                      const Tolerance& tolerance) {
  const HostView a(expected);
  const HostView b(actual);
  const std::uint64_t count = expected.element_count();
  std::uint64_t differing = 0;
  std::string first;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::byte* const left = element_at(expected, a, i);
    const std::byte* const right = element_at(actual, b, i);
    if (!tolerance.met(expected.element_type(), expected.bytes_per_element(), left, right) &&
        differing++ == 0) {
      first = "element " + position(expected.shape(), i) + ": " +
              element_difference(expected, left, actual, right);
    }
  }
  if (differing > 0) {
    throw Error(ErrorCode::InvalidData,
                name + ", " + first +
                    (tolerance.exact() ? ", without a tolerance"
                                       : ", farther apart than " + tolerance.text()) +
                    "; " + std::to_string(differing) + " of " + std::to_string(count) +
                    (differing == 1 ? " elements differs" : " elements differ"));
  }
}

void compare_tensors(const Message& expected, const Message& actual, const Tolerance& tolerance) {
  const std::vector<NamedTensor> a = tensors_of(expected);
  const std::vector<NamedTensor> b = tensors_of(actual);
  require_equal("number of tensors", static_cast<std::int64_t>(a.size()),
                static_cast<std::int64_t>(b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string name = "tensor " + std::to_string(i) + " ('" + std::string(a[i].name) + "')";
    require_equal("name of tensor " + std::to_string(i), a[i].name, b[i].name);
    compare_layouts(name, *a[i].tensor, *b[i].tensor);
    tolerance.require_applicable(a[i].tensor->element_type(), name);
    if (a[i].tensor->pointer() != nullptr) {
      compare_elements(name, *a[i].tensor, *b[i].tensor, tolerance);
    }
  }
}

struct NamedTimestamp {
  std::string_view name;
  const Timestamp* time;
};

std::vector<NamedTimestamp> timestamps_of(const Message& message) {
  std::vector<NamedTimestamp> timestamps;
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Timestamp>::value) {
      timestamps.push_back({part.name, static_cast<const Timestamp*>(part.data)});
    }
  }
  return timestamps;
}

}  // namespace

void TensorComparator::declare(Interface& interface) {
  interface.input(expected_, "expected", "Messages as they should be, one per tick");
  interface.input(actual_, "actual", "Messages as they are, one per tick");
  interface.parameter(compare_timestamp_, "compare_timestamp", "Times that must be equal too")
      .default_value(CompareTimestamp::PubtimeAndAcqtime);
  interface
      .parameter(absolute_tolerance_, "absolute_tolerance",
                 "Greatest difference of two elements that are taken for equal",
                 "An element passes when it meets one of the tolerances that are not 0. When all "
                 "are 0, the bits must be equal, so that a NaN equals the same NaN and -0 differs "
                 "from 0. With a tolerance two NaN are equal, a NaN differs from every number, an "
                 "infinity equals the same infinity alone, and -0 equals 0. Of a complex number "
                 "the real and the imaginary part must pass. Custom elements have no numbers: a "
                 "tolerance is an error for them.")
      .default_value(0.0)
      .minimum(0.0);
  interface
      .parameter(relative_tolerance_, "relative_tolerance",
                 "The same, as a part of the expected element's size",
                 "0.01 means one hundredth. See absolute_tolerance.")
      .default_value(0.0)
      .minimum(0.0);
  interface
      .parameter(ulp_tolerance_, "ulp_tolerance",
                 "The same, in units in the last place (ULP)",
                 "The number of steps, each to the next number of the element type, from the "
                 "expected to the actual element. For floating-point and complex numbers alone: "
                 "it is an error for tensors of integers. See absolute_tolerance.")
      .default_value(std::uint64_t{0})
      .unit("ULP");
}

void TensorComparator::start() {
  for (const Parameter<double>* limit : {&absolute_tolerance_, &relative_tolerance_}) {
    if (!std::isfinite(limit->get())) {
      throw Error(ErrorCode::InvalidParameter, "'" + std::string(limit->key()) + "' is " +
                                                   shortest_text(limit->get()) +
                                                   ", but must be a finite number");
    }
  }
  tolerance_ = {*absolute_tolerance_, *relative_tolerance_, *ulp_tolerance_};
}

void TensorComparator::tick() {
  const Message expected = expected_.receive();
  const Message actual = actual_.receive();
  try {
    compare_timestamps(expected, actual);
    compare_tensors(expected, actual, tolerance_);
  } catch (const Error& difference) {
    // Messages are counted from 0, as Message::sequence() counts them.
    throw Error(difference.code(),
                "message " + std::to_string(execution_count() - 1) + ", " + difference.message());
  }
}

void TensorComparator::compare_timestamps(const Message& expected, const Message& actual) const {
  const CompareTimestamp mode = *compare_timestamp_;
  if (mode == CompareTimestamp::None) {
    return;
  }
  const std::vector<NamedTimestamp> a = timestamps_of(expected);
  const std::vector<NamedTimestamp> b = timestamps_of(actual);
  require_equal("number of timestamps", static_cast<std::int64_t>(a.size()),
                static_cast<std::int64_t>(b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    require_equal("name of timestamp " + std::to_string(i), a[i].name, b[i].name);
    if (mode != CompareTimestamp::PubtimeOnly) {
      require_equal("acqtime", a[i].time->acqtime, b[i].time->acqtime);
    }
    if (mode != CompareTimestamp::AcqtimeOnly) {
      require_equal("pubtime", a[i].time->pubtime, b[i].time->pubtime);
    }
  }
}

}  // namespace gxr::testing
