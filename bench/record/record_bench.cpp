// Speed of recording and of replaying without a pace, as a share of dd's with the same number of
// bytes on the same disk in the same run. The folder is GXR_BENCH_DIR, else a temporary one.

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
#include "tests/unit/runtime/harness.hpp"

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

/// The best of some rounds; all four kinds in each, so that they meet the same disk.
struct Best {
  double dd_write = std::numeric_limits<double>::max();
  double record = dd_write;
  double dd_read = dd_write;
  double replay = dd_write;
};

Best measure(const fs::path& folder, const gxr::Shape& shape) {
  Frames frames(folder, shape);
  const std::string plain = (folder / "plain").string();
  const std::string count = " bs=1M count=" + std::to_string(kBytes >> 20U);
  Best best;
  const auto keep = [](double& least, double value) { least = std::min(least, value); };
  for (int i = 0; i < kRounds; ++i) {
    fs::remove(plain);
    keep(best.dd_write, seconds([&] { run("dd if=/dev/zero of='" + plain + "'" + count); }));
    fs::remove(folder / "frames.gxf_entities");
    keep(best.record, seconds([&] { frames.record(); }));
    keep(best.dd_read, seconds([&] { run("dd if='" + plain + "' of=/dev/null bs=1M"); }));
    keep(best.replay, seconds([&] { frames.replay(); }));
  }
  return best;
}

double rate(double time) { return static_cast<double>(kBytes) * 1e-6 / time; }

void print(const char* name, const Best& best) {
  std::printf("%-16s %9.0f %9.0f %6.2f %9.0f %9.0f %6.2f\n", name, rate(best.dd_write),
              rate(best.record), best.dd_write / best.record, rate(best.dd_read), rate(best.replay),
              best.dd_read / best.replay);
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
  std::printf("512 MB, MB/s       dd write    record  ratio   dd read    replay  ratio\n");
  print("1080 x 1920 x 3", measure(name, {1080, 1920, 3}));
  print("480 x 854 x 3", measure(name, {480, 854, 3}));
  print("120 x 160 x 3", measure(name, {120, 160, 3}));
  fs::remove_all(name);
  return 0;
}
