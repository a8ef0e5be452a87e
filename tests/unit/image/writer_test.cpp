#include "image/writer.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "image/picture_reader.hpp"
#include "tests/unit/image/rig.hpp"
#include "tests/unit/image/scratch_folder.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<std::string> files_in(const ScratchFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (entry.is_regular_file()) {
      names.push_back(std::filesystem::relative(entry.path(), folder.path()).string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

PictureFormat format_of(const std::string& path) { return open_picture(path)->format(); }

}  // namespace

TEST_CASE("Writer numbers its files, makes the folder, and says where they are", "[image]") {
  const ScratchFolder folder;
  Rig rig;
  auto& writer = rig.add<Writer>({{"in", "in"}, {"path", folder / "a/b/f-%03d.png"}});
  writer.start();
  rig.run(writer, rig.picture<std::uint8_t>({1, 1, 3}, {1, 2, 3}));
  rig.run(writer, rig.picture<std::uint8_t>({1, 1, 3}, {4, 5, 6}));
  writer.stop();
  CHECK(files_in(folder) == std::vector<std::string>{"a/b/f-001.png", "a/b/f-002.png"});
  REQUIRE(rig.harness().logged().size() == 1);
  CHECK(rig.harness().logged().front().text ==
        "wrote 2 pictures to " + (folder / "a/b") + "/, last " + (folder / "a/b/f-002.png"));
}

TEST_CASE("Writer: bits per sample follow the tensor or the parameter", "[image]") {
  const ScratchFolder folder;
  const auto written = [&](const char* depth, auto sample) {
    Rig rig;
    auto& writer =
        rig.add<Writer>({{"in", "in"}, {"path", folder / "f.png"}, {"bit_depth", depth}});
    writer.start();
    rig.run(writer, rig.picture<decltype(sample)>({1, 1, 1}, {sample}));
    writer.stop();
    return format_of(folder / "f.png").type;
  };
  CHECK(written("0", std::uint8_t{1}) == ElementType::UInt8);
  CHECK(written("0", std::uint16_t{1}) == ElementType::UInt16);
  CHECK(written("0", 1.0F) == ElementType::UInt8);
  CHECK(written("16", 1.0F) == ElementType::UInt16);
  CHECK(written("16", std::uint8_t{1}) == ElementType::UInt16);
  CHECK(written("8", std::uint16_t{1}) == ElementType::UInt8);
}

TEST_CASE("Writer: a second picture does not overwrite the first", "[image]") {
  const ScratchFolder folder;
  Rig rig;
  auto& writer = rig.add<Writer>({{"in", "in"}, {"path", folder / "one.pgm"}});
  writer.start();
  rig.run(writer, rig.picture<std::uint8_t>({1, 1}, {1}));
  CHECK_THROWS_WITH(rig.run(writer, rig.picture<std::uint8_t>({1, 1}, {2})),
                    ContainsSubstring("a second picture would overwrite"));
  writer.stop();
  CHECK(rig.harness().logged().back().text == "wrote 1 picture: " + (folder / "one.pgm"));
}

TEST_CASE("Writer: a TIFF without a number takes all pictures as pages", "[image]") {
  const ScratchFolder folder;
  Rig rig;
  auto& writer = rig.add<Writer>({{"in", "in"}, {"path", folder / "all.tif"}});
  writer.start();
  rig.run(writer, rig.picture<std::uint8_t>({1, 1}, {1}));
  rig.run(writer, rig.picture<std::uint8_t>({1, 1}, {2}));
  CHECK(files_in(folder) != std::vector<std::string>{"all.tif"});
  writer.stop();
  CHECK(files_in(folder) == std::vector<std::string>{"all.tif"});
  CHECK(rig.harness().logged().back().text == "wrote 2 pictures: " + (folder / "all.tif"));
  CHECK(open_picture(folder / "all.tif")->has_next());
}

TEST_CASE("Writer: memory of a pool is copied, so that its blocks come back at once", "[image]") {
  const ScratchFolder folder;
  Rig rig;
  auto& pool = rig.harness().add<BlockMemoryPool>(
      "op/blocks", {{"storage_type", "2"}, {"block_size", "64"}, {"num_blocks", "1"}});
  auto& writer = rig.add<Writer>({{"in", "in"}, {"path", folder / "%d.pgm"}, {"encoders", "1"}});
  writer.start();
  for (const char letter : {'a', 'b', 'c'}) {
    Message message = rig.harness().new_message();
    Tensor& tensor = message.add<Tensor>("image");
    tensor.allocate<std::uint8_t>(pool, {1, 1});
    *tensor.data<std::uint8_t>() = static_cast<std::uint8_t>(letter);
    rig.run(writer, std::move(message));
    CHECK(pool.is_available(64));
  }
  writer.stop();
  CHECK(content_of(folder / "1.pgm").back() == 'a');
  CHECK(content_of(folder / "3.pgm").back() == 'c');
}

TEST_CASE("Writer: the number of encoders changes no byte", "[image]") {
  const ScratchFolder folder;
  for (const std::string encoders : {"1", "4"}) {
    Rig rig;
    auto& writer = rig.add<Writer>({{"in", "in"},
                                    {"path", folder / (encoders + "/%d.png")},
                                    {"encoders", encoders},
                                    {"bit_depth", "8"}});
    writer.start();
    for (int i = 0; i < 20; ++i) {
      rig.run(writer, rig.picture<float>({1, 2}, {0.01F * static_cast<float>(i), 1.0F}));
    }
    writer.stop();
  }
  CHECK(files_in(folder).size() == 40);
  for (int i = 1; i <= 20; ++i) {
    const std::string name = "/" + std::to_string(i) + ".png";
    CHECK(content_of(folder / ("1" + name)) == content_of(folder / ("4" + name)));
  }
}

TEST_CASE("Writer: behind a file that cannot be written there is none", "[image]") {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "3.pgm");  // in the way
  for (const char* const encoders : {"1", "4"}) {
    Rig rig;
    auto& writer =
        rig.add<Writer>({{"in", "in"}, {"path", folder / "%d.pgm"}, {"encoders", encoders}});
    writer.start();
    const auto write_all = [&] {
      for (int i = 0; i < 20; ++i) {
        rig.run(writer, rig.picture<std::uint8_t>({1, 1}, {1}));
      }
    };
    CHECK_THROWS_WITH(write_all(), ContainsSubstring("3.pgm: cannot write: Is a directory"));
    writer.stop();
    CHECK(files_in(folder) == std::vector<std::string>{"1.pgm", "2.pgm"});
    CHECK(rig.harness().logged().back().text ==
          "wrote 2 pictures to " + folder.path() + "/, last " + (folder / "2.pgm"));
  }
}

TEST_CASE("Writer: JPEG has 8 bits and no alpha", "[image]") {
  const ScratchFolder folder;
  Rig deep;
  CHECK_THROWS_WITH(
      deep.add<Writer>({{"in", "in"}, {"path", folder / "a.jpg"}, {"bit_depth", "16"}}),
      ContainsSubstring("'bit_depth' 16: JPEG has 8 bits; set 8, or write .png or .tif"));
  Rig rig;
  auto& writer = rig.add<Writer>({{"in", "in"}, {"path", folder / "a.jpg"}});
  writer.start();
  CHECK_THROWS_WITH(rig.run(writer, rig.picture<std::uint16_t>({1, 1}, {1})),
                    ContainsSubstring("wanted 8 bits for a .jpg file (set 'bit_depth: 8', or write "
                                      ".png or .tif), got [1, 1] uint16"));
  CHECK_THROWS_WITH(rig.run(writer, rig.picture<std::uint8_t>({1, 1, 4}, {1, 2, 3, 4})),
                    ContainsSubstring("wanted 1 or 3 channels for a .jpg file"));
  writer.stop();
  CHECK(files_in(folder).empty());
}

TEST_CASE("Writer: mistakes", "[image]") {
  const ScratchFolder folder;
  Rig suffix;
  CHECK_THROWS_WITH(suffix.add<Writer>({{"in", "in"}, {"path", "a.gif"}}),
                    ContainsSubstring("a.gif: pictures are written as"));
  Rig place;
  CHECK_THROWS_WITH(place.add<Writer>({{"in", "in"}, {"path", "a-%s.png"}}),
                    ContainsSubstring("cannot read '%s.png' in the path"));
  Rig channels;
  auto& writer = channels.add<Writer>({{"in", "in"}, {"path", folder / "a.ppm"}});
  CHECK_THROWS_WITH(channels.run(writer, channels.picture<std::uint8_t>({1, 1}, {1})),
                    ContainsSubstring("wanted 3 channels for a .ppm file, got [1, 1] uint8"));
  Rig blocked;
  static_cast<void>(folder.file("file", "x"));
  auto& nowhere = blocked.add<Writer>({{"in", "in"}, {"path", folder / "file/a.png"}});
  CHECK_THROWS_WITH(nowhere.start(),
                    ContainsSubstring("file: cannot make this folder: Not a directory"));
}
