// Speed of recording and of replaying without a pace, as a share of dd's with the same number of
// bytes on the same disk in the same run: of dd with blocks of 1 MiB, and of dd that hands over a
// frame at a time, as a recorder must. The folder is GXR_BENCH_DIR, else a temporary one.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

#include "gxr/gxr.hpp"
#include "gxr/serialization/recording.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;
constexpr std::uint64_t kBytes = std::uint64_t{512} << 20U;

/// Seconds that `work` takes.
template <class F>
double seconds(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run(const std::string& command) {
  if (std::system((command + " 2> /dev/null").c_str()) != 0) {
    std::fprintf(stderr, "failed: %s\n", command.c_str());
    std::exit(1);
  }
}

/// Frames of one size, recorded and replayed as EntityRecorder and EntityReplayer do.
class Frames {
 public:
  Frames(const fs::path& folder, const gxr::Shape& shape)
      : paths_(folder.string(), "frames"), shape_(shape), count_(kBytes / shape.element_count()) {
    harness_.initialize();
  }

  void record() {
    gxr::Message message = harness_.new_message();
    auto& tensor = message.add<gxr::Tensor>();
    tensor.allocate<std::uint8_t>(pool_, shape_);
    std::memset(tensor.pointer(), 1, tensor.size());
    gxr::RecordingWriter writer(paths_);
    for (std::uint64_t i = 0; i < count_; ++i) {
      writer.write(message, entities_, gxr::LogTime::Now);
    }
    writer.close();
  }

  void replay() {
    gxr::RecordingReader reader(paths_);
    for (std::uint64_t i = 0; i < reader.size(); ++i) {
      reader.read(i, entities_);
    }
  }

 private:
  gxr::RecordingPaths paths_;
  gxr::Shape shape_;
  std::uint64_t count_;
  gxr::harness::Harness harness_;
  gxr::BlockMemoryPool& pool_ = harness_.add<gxr::BlockMemoryPool>(
      "bench/pool", {{"block_size", "8294400"}, {"num_blocks", "2"}, {"storage_type", "2"}});
  gxr::StdComponentSerializer& parts_ =
      harness_.add<gxr::StdComponentSerializer>("bench/parts", {{"allocator", "pool"}});
  gxr::StdEntitySerializer& entities_ = harness_.add<gxr::StdEntitySerializer>(
      "bench/entities", {{"component_serializers", "[parts]"}});
};

/// Seconds that each way takes for all bytes.
struct Times {
  double dd = std::numeric_limits<double>::max();
  double dd_frames = dd;
  double gxr = dd;
};
/// The best of some rounds; all ways in each, so that they meet the same disk.
struct Best {
  Times write;
  Times read;
};

Best measure(const fs::path& folder, const gxr::Shape& shape) {
  Frames frames(folder, shape);
  const std::string plain = "'" + (folder / "plain").string() + "'";
  const std::uint64_t frame = shape.element_count();
  const auto blocks = [](std::uint64_t size) {
    return " bs=" + std::to_string(size) + " count=" + std::to_string(kBytes / size);
  };
  const std::string large = blocks(std::uint64_t{1} << 20U);
  Best best;
  const auto keep = [](double& least, const auto& work) { least = std::min(least, seconds(work)); };
  for (int i = 0; i < kRounds; ++i) {
    fs::remove(folder / "plain");
    keep(best.write.dd_frames, [&] { run("dd if=/dev/zero of=" + plain + blocks(frame)); });
    fs::remove(folder / "plain");
    keep(best.write.dd, [&] { run("dd if=/dev/zero of=" + plain + large); });
    fs::remove(folder / "frames.gxf_entities");
    keep(best.write.gxr, [&] { frames.record(); });
    keep(best.read.dd_frames, [&] { run("dd of=/dev/null if=" + plain + blocks(frame)); });
    keep(best.read.dd, [&] { run("dd of=/dev/null if=" + plain + large); });
    keep(best.read.gxr, [&] { frames.replay(); });
  }
  return best;
}

double rate(double time) { return static_cast<double>(kBytes) * 1e-6 / time; }

void print(const char* what, const std::string& frame, const Times& times) {
  std::printf("%-8s %-16s %9.0f %9.0f %9.0f %8.2f %8.2f\n", what, frame.c_str(), rate(times.dd),
              rate(times.dd_frames), rate(times.gxr), times.dd / times.gxr,
              times.dd_frames / times.gxr);
}

}  // namespace

int main() {
  const char* chosen = std::getenv("GXR_BENCH_DIR");
  std::string name =
      ((chosen != nullptr ? fs::path(chosen) : fs::temp_directory_path()) / "gxr-bench-XXXXXX")
          .string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::perror(name.c_str());
    return 1;
  }
  std::printf("512 MiB, MB/s             dd, 1 MiB dd, frame       gxr   ratio to each dd\n");
  for (const gxr::Shape& shape :
       {gxr::Shape{1080, 1920, 3}, gxr::Shape{480, 854, 3}, gxr::Shape{120, 160, 3}}) {
    const Best best = measure(name, shape);
    print("record", shape.to_string(), best.write);
    print("replay", shape.to_string(), best.read);
  }
  fs::remove_all(name);
  return 0;
}
