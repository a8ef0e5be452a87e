#include "media.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>

#include "gxr/error.hpp"

namespace gxr::python {
namespace {

constexpr std::size_t kAlignment = 64;

struct FreeMemory {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, FreeMemory>;

Memory allocate(std::uint64_t bytes) {
  Memory memory(static_cast<std::byte*>(
      std::aligned_alloc(kAlignment, bytes / kAlignment * kAlignment + kAlignment)));
  if (memory == nullptr) {
    throw Error(ErrorCode::OutOfMemory, "the system has no " + std::to_string(bytes) + " bytes");
  }
  return memory;
}

void free_memory(void* /*owner*/, void* pointer) noexcept { std::free(pointer); }

VideoFormat format_named(const std::string& name) {
  std::string known;
  for (auto i = std::int64_t{1}; i <= static_cast<std::int64_t>(VideoFormat::Raw16Gbrg); ++i) {
    const auto format = static_cast<VideoFormat>(i);
    if (name == to_string(format)) {
      return format;
    }
    known += (known.empty() ? "" : ", ") + std::string(to_string(format));
  }
  throw Error(ErrorCode::InvalidArgument,
              "there is no format '" + name + "' of pictures; there are " + known);
}

/// Of a sample of a plane.
ElementType element_type(VideoFormat format) {
  const ElementType sample = sample_type(format);
  const bool is_raw16 = format >= VideoFormat::Raw16Rggb && format <= VideoFormat::Raw16Gbrg;
  return sample != ElementType::Custom ? sample
         : is_raw16                    ? ElementType::UInt16
                                       : ElementType::UInt8;
}

// --- pictures

/// A plane as rows x columns (x samples of a pixel).
Tensor tensor_of_plane(const VideoBuffer& picture, const ColorPlane& plane) {
  const ElementType type = element_type(picture.info().format);
  const std::uint64_t size = size_of(type);
  const auto samples = static_cast<std::int32_t>(plane.bytes_per_pixel / size);
  const auto rows = static_cast<std::int32_t>(plane.height);
  const auto columns = static_cast<std::int32_t>(plane.width);
  const Shape shape = samples == 1 ? Shape{rows, columns} : Shape{rows, columns, samples};
  const Strides strides{plane.stride, plane.bytes_per_pixel, size};
  const auto* const memory = static_cast<const std::byte*>(picture.pointer()) + plane.offset;
  Tensor tensor;
  tensor.wrap(const_cast<std::byte*>(memory), shape, type, picture.storage_type(), nullptr, nullptr,
              size, &strides);
  return tensor;
}

nb::tuple planes_of(const PictureView& view) {
  const VideoBufferInfo& info = view.buffer().info();
  if (info.surface_layout != SurfaceLayout::PitchLinear) {
    throw Error(ErrorCode::NotSupported, "the rows of this picture do not follow each other");
  }
  nb::list planes;
  for (const ColorPlane& plane : info.color_planes) {
    planes.append(nb::cast(view.view(tensor_of_plane(view.buffer(), plane))));
  }
  return nb::tuple(planes);
}

/// Bytes that follow each other without gaps from dimension `first` on; 0: there are gaps.
std::uint64_t solid_bytes(const Tensor& tensor, std::uint32_t first) {
  std::uint64_t bytes = tensor.bytes_per_element();
  for (std::uint32_t i = tensor.rank(); i-- > first;) {
    if (tensor.stride(i) != bytes) {
      return 0;
    }
    bytes *= static_cast<std::uint64_t>(tensor.shape().dimension(i));
  }
  return bytes;
}

void copy_elements(const std::byte* source, const Tensor& from, std::byte* target, const Tensor& to,
                   std::uint32_t dimension) {
  const std::uint64_t bytes = solid_bytes(from, dimension);
  if (bytes != 0 && bytes == solid_bytes(to, dimension)) {
    std::memcpy(target, source, bytes);
    return;
  }
  for (std::int32_t i = 0; i < to.shape().dimension(dimension); ++i) {
    const auto place = static_cast<std::uint64_t>(i);
    copy_elements(source + place * from.stride(dimension), from,
                  target + place * to.stride(dimension), to, dimension + 1);
  }
}

/// Copies an array that has the shape of the plane.
void fill_plane(const Tensor& from, const Tensor& plane, std::size_t number) {
  const bool fits = from.shape() == plane.shape() && from.element_type() == plane.element_type() &&
                    from.storage_type() != MemoryStorageType::Device;
  if (!fits) {
    throw Error(ErrorCode::InvalidArgument,
                "plane " + std::to_string(number) + " must be " + plane.shape().to_string() + " " +
                    to_string(plane.element_type()) + " in memory of the host, not " +
                    from.shape().to_string() + " " + to_string(from.element_type()));
  }
  copy_elements(static_cast<const std::byte*>(from.pointer()), from,
                static_cast<std::byte*>(const_cast<void*>(plane.pointer())), plane, 0);
}

std::shared_ptr<const VideoBuffer> make_picture(nb::handle planes, const std::string& name) {
  const VideoFormat format = format_named(name);
  std::vector<Tensor> arrays;
  if (PyList_Check(planes.ptr()) || PyTuple_Check(planes.ptr())) {
    for (const nb::handle each : planes) {
      arrays.push_back(tensor_of(each));
    }
  } else {
    arrays.push_back(tensor_of(planes));
  }
  if (arrays.size() != color_planes(format).size() || arrays.front().rank() < 2) {
    throw Error(ErrorCode::InvalidArgument,
                "a picture of " + name + " has " + std::to_string(color_planes(format).size()) +
                    " planes, each an array of rows x columns; this has " +
                    std::to_string(arrays.size()));
  }
  const Shape& first = arrays.front().shape();
  const VideoBufferInfo info = video_layout(format, static_cast<std::uint32_t>(first.dimension(1)),
                                            static_cast<std::uint32_t>(first.dimension(0)), false);
  auto picture = std::make_shared<VideoBuffer>();
  Memory memory = allocate(info.size());
  picture->wrap(info, info.size(), MemoryStorageType::System, memory.get(), nullptr, &free_memory);
  static_cast<void>(memory.release());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    fill_plane(arrays[i], tensor_of_plane(*picture, info.color_planes[i]), i);
  }
  return picture;
}

// --- sounds

Tensor tensor_of_samples(const AudioBuffer& sound) {
  const AudioBufferInfo& info = sound.info();
  if (info.format == AudioFormat::Custom || info.layout == AudioLayout::Custom) {
    throw Error(ErrorCode::NotSupported, "the samples of this sound are of a form of their own");
  }
  const ElementType type =
      info.format == AudioFormat::S16Le ? ElementType::Int16 : ElementType::Float32;
  const std::uint64_t size = info.bytes_per_sample;
  const Strides strides = info.layout == AudioLayout::Interleaved
                              ? Strides{size * info.channels, size}
                              : Strides{size, size * info.samples};
  Tensor tensor;
  tensor.wrap(
      const_cast<void*>(sound.pointer()),
      Shape{static_cast<std::int32_t>(info.samples), static_cast<std::int32_t>(info.channels)},
      type, sound.storage_type(), nullptr, nullptr, size, &strides);
  return tensor;
}

std::shared_ptr<const AudioBuffer> make_sound(nb::handle samples, std::uint32_t rate) {
  const Tensor array = tensor_of(samples);
  const ElementType type = array.element_type();
  const bool is_known = type == ElementType::Int16 || type == ElementType::Float32;
  if (!is_known || array.rank() != 2 || array.element_count() == 0 || rate == 0 ||
      array.storage_type() == MemoryStorageType::Device) {
    throw Error(
        ErrorCode::InvalidArgument,
        "a sound is an array of int16 or float32 in memory of the host, samples x channels, "
        "and its rate is above 0; this is " +
            array.shape().to_string() + " " + to_string(type) + " with rate " +
            std::to_string(rate));
  }
  AudioBufferInfo info;
  info.samples = static_cast<std::uint32_t>(array.shape().dimension(0));
  info.channels = static_cast<std::uint32_t>(array.shape().dimension(1));
  info.sampling_rate = rate;
  info.format = type == ElementType::Int16 ? AudioFormat::S16Le : AudioFormat::F32Le;
  info.bytes_per_sample = size_of(info.format);
  info.layout = AudioLayout::Interleaved;
  auto sound = std::make_shared<AudioBuffer>();
  Memory memory = allocate(info.size());
  sound->wrap(info, info.size(), MemoryStorageType::System, memory.get(), nullptr, &free_memory);
  static_cast<void>(memory.release());
  fill_plane(array, tensor_of_samples(*sound), 0);
  return sound;
}

template <class Buffer>
std::string storage_of(const BufferView<Buffer>& view) {
  return to_string(view.buffer().storage_type());
}

/// The same memory under another owner.
VideoBuffer alias_of(const VideoBuffer& buffer, void* owner, OwnedMemory::ReleaseFunction release) {
  VideoBuffer alias;
  alias.wrap(buffer.info(), buffer.size(), buffer.storage_type(),
             const_cast<void*>(buffer.pointer()), owner, release);
  return alias;
}
AudioBuffer alias_of(const AudioBuffer& buffer, void* owner, OwnedMemory::ReleaseFunction release) {
  AudioBuffer alias;
  alias.wrap(buffer.info(), buffer.size(), buffer.storage_type(),
             const_cast<void*>(buffer.pointer()), owner, release);
  return alias;
}

template <class Buffer>
bool add_if(Message& message, nb::handle value, std::string_view name) {
  BufferView<Buffer>* view = nullptr;
  if (!nb::try_cast<BufferView<Buffer>*>(value, view) || view == nullptr) {
    return false;
  }
  view->add_to(message, name);
  return true;
}

}  // namespace

template <class Buffer>
void BufferView<Buffer>::add_to(Message& message, std::string_view name) const {
  if (own_ == nullptr) {
    message_.wait_for_device();
    if (name == (message_.begin() + part_)->name) {
      return message.share_part(message_, part_);
    }
  }
  struct Owner {
    Message message;
    std::shared_ptr<const Buffer> buffer;
  };
  auto owner = std::make_unique<Owner>(Owner{message_, own_});
  Buffer alias = alias_of(*buffer_, owner.get(), [](void* kept, void* /*pointer*/) noexcept {
    delete static_cast<Owner*>(kept);
  });
  static_cast<void>(owner.release());
  message.add<Buffer>(name, std::move(alias));
}

bool add_picture_or_sound(Message& message, nb::handle value, std::string_view name) {
  return add_if<VideoBuffer>(message, value, name) || add_if<AudioBuffer>(message, value, name);
}

void bind_media(nb::module_& module) {
  nb::class_<PictureView>(module, "Picture", "A picture with planes, such as one of NV12.")
      .def(
          "__init__",
          [](PictureView* place, nb::handle planes, const std::string& format) {
            new (place) PictureView(make_picture(planes, format));
          },
          nb::arg("planes"), nb::arg("format"))
      .def_prop_ro("format",
                   [](const PictureView& view) {
                     return std::string(to_string(view.buffer().info().format));
                   })
      .def_prop_ro("width", [](const PictureView& view) { return view.buffer().info().width; })
      .def_prop_ro("height", [](const PictureView& view) { return view.buffer().info().height; })
      .def_prop_ro("planes", &planes_of)
      .def_prop_ro("storage", &storage_of<VideoBuffer>)
      .def("__repr__", [](const PictureView& view) {
        const VideoBufferInfo& info = view.buffer().info();
        return "<gxr.Picture: " + std::to_string(info.width) + " x " + std::to_string(info.height) +
               " " + to_string(info.format) + ">";
      });
  nb::class_<SoundView>(module, "Sound", "A piece of a sound.")
      .def(
          "__init__",
          [](SoundView* place, nb::handle samples, std::uint32_t rate) {
            new (place) SoundView(make_sound(samples, rate));
          },
          nb::arg("samples"), nb::arg("rate"))
      .def_prop_ro("rate", [](const SoundView& view) { return view.buffer().info().sampling_rate; })
      .def_prop_ro("channels", [](const SoundView& view) { return view.buffer().info().channels; })
      .def_prop_ro(
          "samples",
          [](const SoundView& view) { return view.view(tensor_of_samples(view.buffer())); })
      .def_prop_ro("storage", &storage_of<AudioBuffer>)
      .def("__repr__", [](const SoundView& view) {
        const AudioBufferInfo& info = view.buffer().info();
        return "<gxr.Sound: " + std::to_string(info.samples) + " samples, " +
               std::to_string(info.channels) + " channels, " + std::to_string(info.sampling_rate) +
               " Hz>";
      });
}

}  // namespace gxr::python
