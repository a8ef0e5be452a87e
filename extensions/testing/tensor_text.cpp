#include "tensor_text.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "gxr/plain_text.hpp"

namespace gxr::testing {
namespace {

template <class T>
T read(const std::byte* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

std::string text_of(double value) { return general_text(value); }

template <class T>
std::string text_of(std::complex<T> value) {
  const std::string imaginary = general_text(static_cast<double>(value.imag()));
  return general_text(static_cast<double>(value.real())) + (imaginary.starts_with('-') ? "" : "+") +
         imaginary + "i";
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

std::string element_text(const Tensor& tensor, const std::byte* address) {
  switch (tensor.element_type()) {
    case ElementType::Int8:
      return std::to_string(read<std::int8_t>(address));
    case ElementType::UInt8:
      return std::to_string(read<std::uint8_t>(address));
    case ElementType::Int16:
      return std::to_string(read<std::int16_t>(address));
    case ElementType::UInt16:
      return std::to_string(read<std::uint16_t>(address));
    case ElementType::Int32:
      return std::to_string(read<std::int32_t>(address));
    case ElementType::UInt32:
      return std::to_string(read<std::uint32_t>(address));
    case ElementType::Int64:
      return std::to_string(read<std::int64_t>(address));
    case ElementType::UInt64:
      return std::to_string(read<std::uint64_t>(address));
    case ElementType::Float32:
      return text_of(static_cast<double>(read<float>(address)));
    case ElementType::Float64:
      return text_of(read<double>(address));
    case ElementType::Complex64:
      return text_of(read<std::complex<float>>(address));
    case ElementType::Complex128:
      return text_of(read<std::complex<double>>(address));
    case ElementType::Custom:
    case ElementType::Float16:
      break;
  }
  return bytes_in_hexadecimal(address, tensor.bytes_per_element());
}

}  // namespace

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
    text += (i > 0 ? ", " : "") + element_text(tensor, element_at(tensor, content, i));
  }
  return count > most ? text + ", …" : text;
}

}  // namespace gxr::testing
