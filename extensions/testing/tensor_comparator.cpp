#include "tensor_comparator.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

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

/// Bit for bit, so that a NaN equals itself.
void compare_elements(const std::string& name, const Tensor& expected, const Tensor& actual) {
  const HostView a(expected);
  const HostView b(actual);
  for (std::uint64_t i = 0; i < expected.element_count(); ++i) {
    if (std::memcmp(element_at(expected, a, i), element_at(actual, b, i),
                    expected.bytes_per_element()) != 0) {
      throw Error(ErrorCode::InvalidData, name + ": element " + std::to_string(i) + " of " +
                                              std::to_string(expected.element_count()) +
                                              " differs");
    }
  }
}

void compare_tensors(const Message& expected, const Message& actual) {
  const std::vector<NamedTensor> a = tensors_of(expected);
  const std::vector<NamedTensor> b = tensors_of(actual);
  require_equal("number of tensors", static_cast<std::int64_t>(a.size()),
                static_cast<std::int64_t>(b.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string name = "tensor " + std::to_string(i) + " ('" + std::string(a[i].name) + "')";
    require_equal("name of tensor " + std::to_string(i), a[i].name, b[i].name);
    compare_layouts(name, *a[i].tensor, *b[i].tensor);
    if (a[i].tensor->pointer() != nullptr) {
      compare_elements(name, *a[i].tensor, *b[i].tensor);
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
}

void TensorComparator::tick() {
  const Message expected = expected_.receive();
  const Message actual = actual_.receive();
  compare_timestamps(expected, actual);
  compare_tensors(expected, actual);
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
