#include "gxr/cuda/check.hpp"
#include "notebook.hpp"

namespace gxr::test {
namespace {

constexpr std::size_t kMostNotes = 4000;

/// notes[0]: how many there are.
__global__ void note(std::int32_t* notes, std::int32_t code) { notes[++notes[0]] = code; }

/// Writes the next of some numbers.
template <class T>
__global__ void next(const std::int64_t* numbers, std::uint64_t* read, T* to) {
  *to = static_cast<T>(numbers[(*read)++]);
}

}  // namespace

Notebook::Notebook(const std::vector<std::int64_t>& numbers)
    : notes_(kMostNotes), read_(1), numbers_(numbers.size()), selector_(1), runs_(4) {
  cuda::check(cudaMemcpy(numbers_.get(), numbers.data(), numbers.size() * sizeof(std::int64_t),
                         cudaMemcpyHostToDevice),
              "cudaMemcpy");
}

Work Notebook::notes(std::int32_t code) const {
  return [to = notes_.get(), code](cudaStream_t stream) { note<<<1, 1, 0, stream>>>(to, code); };
}

template <class T>
Work Notebook::decides() const {
  return [this](cudaStream_t stream) {
    next<<<1, 1, 0, stream>>>(numbers_.get(), read_.get(), reinterpret_cast<T*>(selector_.get()));
  };
}

template Work Notebook::decides<std::uint8_t>() const;
template Work Notebook::decides<std::int8_t>() const;
template Work Notebook::decides<std::uint16_t>() const;
template Work Notebook::decides<std::int16_t>() const;
template Work Notebook::decides<std::uint32_t>() const;
template Work Notebook::decides<std::int32_t>() const;
template Work Notebook::decides<std::uint64_t>() const;
template Work Notebook::decides<std::int64_t>() const;

}  // namespace gxr::test
