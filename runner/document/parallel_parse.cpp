#include "document/parallel_parse.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <span>
#include <system_error>
#include <thread>

#include "document/document_split.hpp"

namespace gxr {

namespace {

/// Below this a thread costs more than it saves.
constexpr std::size_t kSmallestBatch = std::size_t{16} * 1024;
constexpr std::size_t kBatchesPerThread = 8;

/// Documents that one thread reads in a row.
struct Batch {
  std::span<const YamlStretch> stretches;
  std::unique_ptr<Arena> arena = std::make_unique<Arena>();
  YamlTrees result;
  std::exception_ptr failure;
};

std::vector<Batch> make_batches(std::span<const YamlStretch> stretches, std::size_t bytes) {
  std::vector<Batch> batches;
  std::size_t begin = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    size += stretches[i].text.size();
    if (size >= bytes || i + 1 == stretches.size()) {
      batches.emplace_back().stretches = stretches.subspan(begin, i + 1 - begin);
      begin = i + 1;
      size = 0;
    }
  }
  return batches;
}

/// False: it failed, and nothing needs the other batches.
bool parse_batch(Batch& batch) noexcept {
  try {
    for (const YamlStretch& stretch : batch.stretches) {
      parse_yaml(stretch, *batch.arena, batch.result);
    }
    return true;
  } catch (...) {
    batch.failure = std::current_exception();
    return false;
  }
}

void parse_all(std::span<Batch> batches, std::size_t threads) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < batches.size(); i = next++) {
      if (!parse_batch(batches[i])) {
        next = batches.size();
      }
    }
  };
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() + 1 < std::min(threads, batches.size())) {
      helpers.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // The system has no more threads: those that run do the work.
  }
  work();
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

unsigned threads_for(std::size_t bytes) {
  // Asking the system takes longer than reading one document.
  return bytes <= kSmallestBatch ? 1 : std::thread::hardware_concurrency();
}

ParsedText parse_documents(std::string_view text, std::uint16_t source, unsigned threads) {
  const std::vector<YamlStretch> stretches = split_documents(text, source);
  const std::size_t pieces = std::max(threads, 1U) * kBatchesPerThread;
  std::vector<Batch> batches =
      make_batches(stretches, std::max(text.size() / pieces, kSmallestBatch));
  parse_all(batches, std::max(threads, 1U));
  ParsedText parsed;
  for (Batch& batch : batches) {
    if (batch.failure) {
      std::rethrow_exception(batch.failure);
    }
    append(parsed.result.trees, batch.result.trees);
    append(parsed.result.problems, batch.result.problems);
    parsed.arenas.push_back(std::move(batch.arena));
  }
  return parsed;
}

ParsedText parse_documents(std::string_view text, std::uint16_t source, YamlCache& cache) {
  ParsedText parsed;
  Arena& arena = *parsed.arenas.emplace_back(std::make_unique<Arena>());
  for (const YamlStretch& stretch : split_documents(text, source)) {
    cache.read(stretch, arena, parsed.result);
  }
  return parsed;
}

}  // namespace gxr
