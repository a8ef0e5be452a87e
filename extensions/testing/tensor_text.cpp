#include "tensor_text.hpp"

#include <algorithm>
#include <charconv>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include "elements.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::testing {
namespace {

constexpr int kDigits = 6;  // of the values in a list

std::string text_of(double value, int digits) {
  return digits == 0 ? shortest_text(value) : general_text(value, digits);
}
/// A float needs fewer digits than the same number as a double.
std::string text_of(float value, int digits) {
  if (digits != 0) {
    return general_text(static_cast<double>(value), digits);
  }
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return error == std::errc() ? std::string(text, end) : std::string("?");
}

template <class T>
std::string text_of(std::complex<T> value, int digits) {
  const std::string imaginary = text_of(value.imag(), digits);
  return text_of(value.real(), digits) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "i";
}

std::string bytes_in_hexadecimal(const std::byte* address, std::uint64_t size) {
  std::string text = "0x";
  for (std::uint64_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned>(address[i]));
    text += digits;
  }
  return text;
}

}  // namespace

std::string element_text(const Tensor& tensor, const std::byte* address, int digits) {
  switch (tensor.element_type()) {
    case ElementType::Int8:
      return std::to_string(element_as<std::int8_t>(address));
    case ElementType::UInt8:
      return std::to_string(element_as<std::uint8_t>(address));
    case ElementType::Int16:
      return std::to_string(element_as<std::int16_t>(address));
    case ElementType::UInt16:
      return std::to_string(element_as<std::uint16_t>(address));
    case ElementType::Int32:
      return std::to_string(element_as<std::int32_t>(address));
    case ElementType::UInt32:
      return std::to_string(element_as<std::uint32_t>(address));
    case ElementType::Int64:
      return std::to_string(element_as<std::int64_t>(address));
    case ElementType::UInt64:
      return std::to_string(element_as<std::uint64_t>(address));
    case ElementType::Float32:
      return text_of(element_as<float>(address), digits);
    case ElementType::Float64:
      return text_of(element_as<double>(address), digits);
    case ElementType::Complex64:
      return text_of(element_as<std::complex<float>>(address), digits);
    case ElementType::Complex128:
      return text_of(element_as<std::complex<double>>(address), digits);
    case ElementType::Float16:
      return text_of(float_of_half(element_as<std::uint16_t>(address)), digits);
    case ElementType::Custom:
      break;
  }
  return element_bytes(tensor, address);
}

std::string element_bytes(const Tensor& tensor, const std::byte* address) {
  return bytes_in_hexadecimal(address, tensor.bytes_per_element());
}

std::vector<NamedTensor> tensors_of(const Message& message) {
  std::vector<NamedTensor> tensors;
  for (const detail::Part& part : message) {
    if (part.id == TypeIdOf<Tensor>::value) {
      tensors.push_back({part.name, static_cast<const Tensor*>(part.data)});
    }
  }
  return tensors;
}

const std::byte* element_at(const Tensor& tensor, const HostView& content,
                            std::uint64_t index) noexcept {
  std::uint64_t offset = 0;
  for (std::uint32_t i = tensor.rank(); i-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(tensor.shape().dimension(i));
    offset += index % extent * tensor.stride(i);
    index /= extent;
  }
  return content.pointer() + offset;
}

std::string describe(const Tensor& tensor) {
  return std::string(to_string(tensor.element_type())) + " " + tensor.shape().to_string() + " in " +
         to_string(tensor.storage_type()) + " memory";
}

std::string values_of(const Tensor& tensor, std::uint64_t most) {
  const std::uint64_t count = tensor.pointer() == nullptr ? 0 : tensor.element_count();
  const HostView content(tensor);
  std::string text;
  for (std::uint64_t i = 0; i < std::min(count, most); ++i) {
    text += (i > 0 ? ", " : "") + element_text(tensor, element_at(tensor, content, i), kDigits);
  }
  return count > most ? text + ", …" : text;
}

}  // namespace gxr::testing
