#include "media/gstreamer/lent_sound.hpp"

#include <string_view>
#include <utility>

#include "gxr/error.hpp"

namespace gxr::media {
namespace {

/// The memory of a buffer while a part of a message uses it.
class LentSound {
 public:
  LentSound(GstBuffer* buffer, std::shared_ptr<Lent> lent)
      : buffer_(buffer), lent_(std::move(lent)) {
    if (gst_buffer_map(buffer_, &map_, GST_MAP_READ) == FALSE) {
      gst_buffer_unref(buffer_);
      throw Error(ErrorCode::InvalidData, "the memory of a sound cannot be read by the CPU");
    }
    lent_->fetch_add(1, std::memory_order_relaxed);
  }
  LentSound(const LentSound&) = delete;
  LentSound& operator=(const LentSound&) = delete;
  ~LentSound() {
    gst_buffer_unmap(buffer_, &map_);
    gst_buffer_unref(buffer_);
    lent_->fetch_sub(1, std::memory_order_relaxed);
  }

  [[nodiscard]] const GstMapInfo& map() const { return map_; }
  static void release(void* owner, void* /*pointer*/) noexcept {
    delete static_cast<LentSound*>(owner);
  }

 private:
  GstMapInfo map_ = GST_MAP_INFO_INIT;
  GstBuffer* buffer_;
  std::shared_ptr<Lent> lent_;
};

}  // namespace

bool read_sound_caps(GstCaps* caps, AudioBufferInfo& info) {
  const GstStructure* const facts = caps == nullptr ? nullptr : gst_caps_get_structure(caps, 0);
  gint channels = 0;
  gint rate = 0;
  const gchar* const format =
      facts == nullptr ? nullptr : gst_structure_get_string(facts, "format");
  if (format == nullptr || gst_structure_has_name(facts, "audio/x-raw") == FALSE ||
      gst_structure_get_int(facts, "channels", &channels) == FALSE ||
      gst_structure_get_int(facts, "rate", &rate) == FALSE || channels <= 0 || rate <= 0) {
    return false;
  }
  info.format = std::string_view(format) == "S16LE" ? AudioFormat::S16Le : AudioFormat::F32Le;
  info.channels = static_cast<std::uint32_t>(channels);
  info.sampling_rate = static_cast<std::uint32_t>(rate);
  info.bytes_per_sample = size_of(info.format);
  info.layout = AudioLayout::Interleaved;
  return true;
}

Owned<GstCaps> caps_of_sound(const AudioBufferInfo& info) {
  Owned<GstCaps> caps(gst_caps_new_simple(
      "audio/x-raw", "format", G_TYPE_STRING, info.format == AudioFormat::S16Le ? "S16LE" : "F32LE",
      "layout", G_TYPE_STRING, "interleaved", "rate", G_TYPE_INT,
      static_cast<gint>(info.sampling_rate), "channels", G_TYPE_INT,
      static_cast<gint>(info.channels), nullptr));
  if (info.channels > 2) {  // which loudspeaker they are for is not known
    gst_caps_set_simple(caps.get(), "channel-mask", GST_TYPE_BITMASK, guint64{0}, nullptr);
  }
  return caps;
}

AudioBuffer audio_buffer_of(GstBuffer* buffer, AudioBufferInfo info,
                            const std::shared_ptr<Lent>& lent) {
  auto sound = std::make_unique<LentSound>(buffer, lent);
  const GstMapInfo& map = sound->map();
  info.samples = static_cast<std::uint32_t>(map.size / (info.channels * info.bytes_per_sample));
  AudioBuffer result;
  result.wrap(info, map.size, MemoryStorageType::System, map.data, sound.get(),
              &LentSound::release);
  static_cast<void>(sound.release());
  return result;
}

}  // namespace gxr::media
