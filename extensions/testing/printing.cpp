#include "printing.hpp"

#include <string>

#include "tensor_text.hpp"

namespace gxr::testing {
namespace {

constexpr std::uint64_t kMostValues = 64;

std::string named(std::string_view name) {
  return name.empty() ? "" : "'" + std::string(name) + "' ";
}

std::string text_of(const NamedTensor& part) {
  return "tensor " + named(part.name) + describe(*part.tensor) + ": " +
         values_of(*part.tensor, kMostValues);
}

std::string text_of(const detail::Part& part) {
  if (part.id == TypeIdOf<Tensor>::value) {
    return text_of(NamedTensor{part.name, static_cast<const Tensor*>(part.data)});
  }
  if (part.id == TypeIdOf<Timestamp>::value) {
    const auto& time = *static_cast<const Timestamp*>(part.data);
    return "timestamp " + named(part.name) + "acqtime " + std::to_string(time.acqtime) +
           ", pubtime " + std::to_string(time.pubtime);
  }
  return "a part " + named(part.name) + "of another type";
}

}  // namespace

void Pop::declare(Interface& interface) {
  interface.input(message_, "message", "Messages to take, one per tick");
}

void Print::declare(Interface& interface) {
  interface.input(message_, "message", "Messages to log, one per tick");
}

void Print::tick() {
  const Message message = message_.receive();
  if (message.size() == 0) {
    log_info("a message without parts");
  }
  for (const detail::Part& part : message) {
    log_info(text_of(part));
  }
}

void PrintTensor::declare(Interface& interface) {
  interface.input(tensors_, "tensors", "Messages whose tensors are logged, one per tick");
  interface.parameter(silent_, "silent", "Whether nothing is logged")
      .default_value(false)
      .dynamic();
}

void PrintTensor::tick() {
  const Message message = tensors_.receive();
  if (*silent_) {
    return;
  }
  for (const NamedTensor& part : tensors_of(message)) {
    log_info(text_of(part));
  }
}

}  // namespace gxr::testing
