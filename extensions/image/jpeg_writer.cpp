#include "image/jpeg_writer.hpp"

#include <array>
#include <cerrno>

#include "gxr/plain_text.hpp"
#include "image/jpeg_call.hpp"

namespace gxr::image {
namespace {

/// Where libjpeg puts its bytes.
struct JpegOutput {
  jpeg_destination_mgr manager{};  // first: libjpeg hands back a pointer to it
  OutputStream* file = nullptr;
  std::array<JOCTET, 65536> buffer{};

  void reuse_buffer() {
    manager.next_output_byte = buffer.data();
    manager.free_in_buffer = buffer.size();
  }
};

JpegOutput& output_of(j_compress_ptr jpeg) { return *reinterpret_cast<JpegOutput*>(jpeg->dest); }

void write_bytes(j_compress_ptr jpeg, std::size_t size) {
  JpegOutput& output = output_of(jpeg);
  if (!output.file->try_write(output.buffer.data(), size)) {
    reinterpret_cast<JpegFailure*>(jpeg->err)->reason = system_error_text(errno);
    on_jpeg_error(reinterpret_cast<j_common_ptr>(jpeg));
  }
  output.reuse_buffer();
}

void begin_output(j_compress_ptr jpeg) { output_of(jpeg).reuse_buffer(); }

boolean empty_buffer(j_compress_ptr jpeg) {
  write_bytes(jpeg, output_of(jpeg).buffer.size());
  return TRUE;
}

void end_output(j_compress_ptr jpeg) {
  write_bytes(jpeg, output_of(jpeg).buffer.size() - jpeg->dest->free_in_buffer);
}

/// Destroyed at any time, as it begins zeroed.
struct JpegWriteState {
  JpegFailure failure;
  JpegOutput output;
  jpeg_compress_struct jpeg{};

  explicit JpegWriteState(OutputStream& file) {
    output.file = &file;
    output.manager.init_destination = begin_output;
    output.manager.empty_output_buffer = empty_buffer;
    output.manager.term_destination = end_output;
    jpeg.err = report_jpeg_to(failure);
  }
  ~JpegWriteState() { jpeg_destroy_compress(&jpeg); }
  JpegWriteState(const JpegWriteState&) = delete;
  JpegWriteState& operator=(const JpegWriteState&) = delete;
};

void write_all(JpegWriteState& state, kernels::ImageView<const std::uint8_t> picture, int quality) {
  jpeg_compress_struct& jpeg = state.jpeg;
  jpeg_create_compress(&jpeg);
  jpeg.dest = &state.output.manager;
  jpeg.image_width = static_cast<JDIMENSION>(picture.width);
  jpeg.image_height = static_cast<JDIMENSION>(picture.height);
  jpeg.input_components = static_cast<int>(picture.channels);
  jpeg.in_color_space = picture.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  for (std::int64_t y = 0; y < picture.height; ++y) {
    // libjpeg only reads it.
    JSAMPROW row = const_cast<JSAMPROW>(picture.row(y));
    static_cast<void>(jpeg_write_scanlines(&jpeg, &row, 1));
  }
  jpeg_finish_compress(&jpeg);
}

}  // namespace

void write_jpeg(OutputStream& file, kernels::ImageView<const std::uint8_t> picture, int quality) {
  JpegWriteState state(file);
  if (!jpeg_call(state.failure, [&] { write_all(state, picture, quality); })) {
    throw Error(ErrorCode::InputOutput, file.path() + ": cannot write: " + state.failure.text());
  }
}

}  // namespace gxr::image
