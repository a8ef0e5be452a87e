#include "image/message_parts.hpp"

#include <string>

#include "gxr/cuda/data.hpp"
#include "gxr/error.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

namespace {

template <class T>
void copy_small(const detail::Part& part, Message& output) {
  output.add<T>(part.name, *static_cast<const T*>(part.data));
}

/// Does it belong to the work of the operator before?
bool is_about_work(const TypeId& id) {
  return id == TypeIdOf<cuda::CudaStreamId>::value || id == TypeIdOf<cuda::CudaStream>::value ||
         id == TypeIdOf<cuda::CudaEvent>::value;
}

bool is_picture(const detail::Part& part) {
  return part.id == TypeIdOf<Tensor>::value || part.id == TypeIdOf<VideoBuffer>::value;
}

bool has_several_planes(const detail::Part& part) {
  return part.id == TypeIdOf<VideoBuffer>::value &&
         static_cast<const VideoBuffer*>(part.data)->info().color_planes.size() > 1;
}

/// "'left', 'right'"
std::string picture_names(const Message& message) {
  std::string names;
  for (const detail::Part& part : message) {
    if (is_picture(part)) {
      names += (names.empty() ? "'" : ", '") + std::string(part.name) + "'";
    }
  }
  return names;
}

/// A part that cannot be copied, of a message that others may write to, stays behind.
void share(const Message& input, std::size_t number, Message& output) {
  try {
    output.share_part(input, number);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::NotSupported) {
      throw;
    }
  }
}

bool is_list_of_bytes(const Tensor& tensor) {
  return tensor.shape().rank() == 1 && tensor.element_type() == ElementType::UInt8 &&
         tensor.is_contiguous();
}

}  // namespace

void pass_on(const Message& input, const void* processed, Geometry geometry, Message& output) {
  output.set_source_time(input.source_time());
  output.set_sequence(input.sequence());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const detail::Part& part = input.begin()[i];
    if (part.id == TypeIdOf<Timestamp>::value) {
      copy_small<Timestamp>(part, output);
    } else if (part.id == TypeIdOf<BayerPattern>::value) {
      if (geometry == Geometry::Kept) {
        copy_small<BayerPattern>(part, output);
      }
    } else if (part.data != processed && !is_about_work(part.id)) {
      share(input, i, output);
    }
  }
}

void pass_on(const Message& input, const InputImage& processed, Geometry geometry,
             Message& output) {
  pass_on(input, processed.part, geometry, output);
  if (geometry == Geometry::Kept && processed.bayer && input.find<BayerPattern>() == nullptr) {
    output.add<BayerPattern>({}, BayerPattern{*processed.bayer});
  }
}

void pass_all_on(const Message& input, const void* processed, Message& output) {
  output.set_source_time(input.source_time());
  output.set_sequence(input.sequence());
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (input.begin()[i].data != processed) {
      share(input, i, output);
    }
  }
}

const Tensor& find_bytes(const Message& message, std::string_view name, std::string_view port) {
  const Tensor* found = nullptr;
  for (const detail::Part& part : message) {
    if (part.id != TypeIdOf<Tensor>::value || (!name.empty() && part.name != name)) {
      continue;
    }
    const auto* const tensor = static_cast<const Tensor*>(part.data);
    if (is_list_of_bytes(*tensor)) {
      return *tensor;
    }
    found = found == nullptr ? tensor : found;
  }
  const std::string called = name.empty() ? "" : " '" + std::string(name) + "'";
  if (found == nullptr) {
    throw Error(ErrorCode::NotFound,
                "the message on '" + std::string(port) + "' has no tensor" + called);
  }
  throw Error(ErrorCode::WrongType,
              "tensor" + called + " on '" + std::string(port) +
                  "': wanted the bytes of a picture file, uint8 with one dimension, got " +
                  describe(found->shape(), found->element_type()));
}

const detail::Part* peek_picture(const Message& message, std::string_view name) noexcept {
  const detail::Part* found = nullptr;
  for (const detail::Part& part : message) {
    if (!is_picture(part) || (!name.empty() && part.name != name)) {
      continue;
    }
    if (!name.empty() || !has_several_planes(part)) {
      return &part;
    }
    found = found == nullptr ? &part : found;
  }
  return found;
}

const detail::Part& find_picture(const Message& message, std::string_view name,
                                 std::string_view port) {
  if (const detail::Part* const part = peek_picture(message, name); part != nullptr) {
    return *part;
  }
  const std::string where = " in the message on '" + std::string(port) + "'";
  if (name.empty()) {
    throw Error(ErrorCode::NotFound, "no tensor and no VideoBuffer" + where);
  }
  const std::string others = picture_names(message);
  throw Error(ErrorCode::NotFound, "'in_tensor_name': no tensor and no VideoBuffer '" +
                                       std::string(name) + "'" + where +
                                       (others.empty() ? "" : "; it has " + others));
}

}  // namespace gxr::image
