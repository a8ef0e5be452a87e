#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <nanobind/nanobind.h>

#include "array.hpp"
#include "gxr/message.hpp"
#include "gxr/multimedia/audio_buffer.hpp"
#include "gxr/multimedia/video_buffer.hpp"

namespace gxr::python {

/// A picture or a sound, as Python sees it: a part of a message, or made in Python.
template <class Buffer>
class BufferView {
 public:
  /// Part `number` of `message`.
  BufferView(Message message, std::size_t number, const Holders& holders)
      : holder_(holders),
        message_(std::move(message)),
        buffer_(static_cast<const Buffer*>((message_.begin() + number)->data)),
        part_(number) {}
  /// One that was made in Python.
  explicit BufferView(std::shared_ptr<const Buffer> made)
      : holder_(Holders()), own_(std::move(made)), buffer_(own_.get()) {}

  [[nodiscard]] const Buffer& buffer() const noexcept { return *buffer_; }
  /// A tensor over memory of this, which lives as long as the result.
  [[nodiscard]] TensorView view(Tensor&& tensor) const {
    struct Kept {
      std::shared_ptr<const Buffer> buffer;
      Tensor tensor;
    };
    auto kept = std::make_shared<Kept>(Kept{own_, std::move(tensor)});
    const Tensor* const shown = &kept->tensor;
    return {message_, std::shared_ptr<const Tensor>(std::move(kept), shown), holder_.holders()};
  }
  /// Adds it to a message, without a copy where that is possible.
  void add_to(Message& message, std::string_view name) const;

 private:
  Holder holder_;  // goes behind the message
  Message message_;
  std::shared_ptr<const Buffer> own_;
  const Buffer* buffer_;
  std::size_t part_ = 0;
};

using PictureView = BufferView<VideoBuffer>;
using SoundView = BufferView<AudioBuffer>;

/// Adds `value` to the message if it is a PictureView or a SoundView.
bool add_picture_or_sound(Message& message, nb::handle value, std::string_view name);

/// Adds both to the module.
void bind_media(nb::module_& module);

}  // namespace gxr::python
