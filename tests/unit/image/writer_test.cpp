#include "image/writer.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
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
