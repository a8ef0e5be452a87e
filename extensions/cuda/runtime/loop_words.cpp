#include "loop_words.hpp"

#include "driver.hpp"

namespace gxr::cuda {

void write_word(std::uint64_t* word, std::uint64_t value, StreamRef stream) {
  driver_check("cuStreamWriteValue64",
               driver().stream_write_value(stream, reinterpret_cast<CUdeviceptr>(word), value, 0));
}

void write_words(const std::array<std::pair<std::uint64_t*, std::uint64_t>, 2>& words,
                 StreamRef stream) {
  CUstreamBatchMemOpParams writes[2] = {};
  for (std::size_t i = 0; i < words.size(); ++i) {
    writes[i].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    writes[i].writeValue.address = reinterpret_cast<CUdeviceptr>(words[i].first);
    writes[i].writeValue.value64 = words[i].second;
  }
  driver_check("cuStreamBatchMemOp", driver().stream_batch(stream, 2, writes, 0));
}

}  // namespace gxr::cuda
