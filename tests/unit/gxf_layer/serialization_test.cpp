// The parts of the serialization tier that need no application: files, endpoints, and what a
// component serializer knows.

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "catch.hpp"
#include "gxf/serialization/component_serializer.hpp"
#include "gxf/serialization/file.hpp"
#include "gxf/serialization/file_stream.hpp"
#include "gxf/serialization/tid_hash.hpp"
#include "gxr/serialization/endpoint.hpp"
#include "log_lines.hpp"
#include "tests/unit/registry/temporary_folder.hpp"

namespace nvidia::gxf::serialization_test {

using gxr::test::LogLines;
using gxr::test::TemporaryFolder;

namespace {

/// Takes and gives a few bytes at a time.
class Pipe final : public Endpoint {
 public:
  gxf_result_t write_abi(const void* data, size_t size, size_t* bytes_written) override {
    *bytes_written = std::min<size_t>(size, 3);
    bytes.append(static_cast<const char*>(data), *bytes_written);
    return GXF_SUCCESS;
  }
  gxf_result_t read_abi(void* data, size_t size, size_t* bytes_read) override {
    *bytes_read = std::min(size, bytes.size());
    std::memcpy(data, bytes.data(), *bytes_read);
    bytes.erase(0, *bytes_read);
    return GXF_SUCCESS;
  }

  std::string bytes;
};

class Serializer final : public ComponentSerializer {
 public:
  using ComponentSerializer::clearDeserializer;
  using ComponentSerializer::clearSerializer;
  using ComponentSerializer::getDeserializer;
  using ComponentSerializer::getSerializer;
  using ComponentSerializer::setDeserializer;
  using ComponentSerializer::setSerializer;

  static Expected<size_t> write(void* component, Endpoint* endpoint) {
    return endpoint->writeTrivialType(static_cast<int64_t*>(component));
  }
  static Expected<void> read(void* component, Endpoint* endpoint) {
    return endpoint->readTrivialType(static_cast<int64_t*>(component)).substitute(Success);
  }
};

}  // namespace

TEST_CASE("A file stream reads what another one wrote", "[gxf_layer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "data";
  FileStream out("", path);
  REQUIRE(out.open());
  CHECK(out.isWriteAvailable());
  CHECK_FALSE(out.isReadAvailable());
  const EntityIndex first{1, 2, 3};
  CHECK(out.writeTrivialType(&first).value() == 24);
  CHECK(out.write("tail", 4).value() == 4);
  CHECK(out.getWriteOffset().value() == 28);
  CHECK(out.flush());

  FileStream in;
  in = FileStream(path, "");
  REQUIRE(in.open());
  CHECK(in.isReadAvailable());
  CHECK_FALSE(in.isWriteAvailable());
  EntityIndex index{};
  CHECK(in.readTrivialType(&index).value() == 24);
  CHECK(index.data_offset == 3);
  CHECK(in.getReadOffset().value() == 24);
  CHECK(in.setReadOffset(8));
  uint64_t size = 0;
  CHECK(in.readTrivialType(&size).value() == 8);
  CHECK(size == 2);

  // Places in the output can be written again.
  CHECK(out.setWriteOffset(24));
  CHECK(out.write("T", 1));
  CHECK(out.close());
  CHECK(in.setReadOffset(24));
  char text[5] = {};
  CHECK(in.read(text, 4).value() == 4);
  CHECK(std::string(text) == "Tail");
  CHECK(in.close());
  CHECK(in.close());
}

TEST_CASE("A read that the end of a file cuts off fails", "[gxf_layer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "data";
  FileStream stream(path, path);
  // The output is not there before open() makes it.
  const LogLines lines;
  CHECK_FALSE(stream.open());
  CHECK(lines.text().find(path) != std::string::npos);

  FileStream out("", path);
  REQUIRE(out.open());
  CHECK(out.write("12345678", 8));
  CHECK(out.flush());
  FileStream in(path, "");
  REQUIRE(in.open());
  char bytes[16];
  CHECK(in.read(bytes, 5));
  CHECK(in.read(bytes, 5).error() == GXF_FAILURE);
  CHECK(out.write("9", 1));
  CHECK(out.flush());
  CHECK(in.clear());
  CHECK(in.read(bytes, 1).value() == 1);
  CHECK(bytes[0] == '9');
  CHECK(in.setReadOffset(0));
  CHECK(in.read(bytes, 9));
}

TEST_CASE("A file stream without files gives errors", "[gxf_layer]") {
  const LogLines lines;
  FileStream stream;
  char byte = 0;
  CHECK(stream.open().error() == GXF_ARGUMENT_INVALID);
  CHECK(stream.read(&byte, 1).error() == GXF_UNINITIALIZED_VALUE);
  CHECK(stream.write(&byte, 1).error() == GXF_UNINITIALIZED_VALUE);
  CHECK(stream.setReadOffset(1).error() == GXF_UNINITIALIZED_VALUE);
  CHECK_FALSE(stream.getWriteOffset());
  CHECK(stream.flush());
  CHECK(stream.close());
  FileStream moved = std::move(stream);
  CHECK_FALSE(moved.open());
  CHECK_FALSE(stream.open());  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("A source uses a file of gxr", "[gxf_layer]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "data";
  gxr::File native;
  File file(native);
  CHECK_FALSE(file.isOpen());
  CHECK(std::string(file.path()).empty());
  const LogLines lines;
  CHECK(file.tell().error() == GXF_INVALID_LIFECYCLE_STAGE);
  CHECK(file.open(path.c_str()).error() == GXF_ARGUMENT_NULL);
  REQUIRE(file.open(path.c_str(), "wb+"));
  CHECK(file.path() == path);
  CHECK(file.write("abcdef", 6).value() == 6);
  CHECK(file.tell().value() == 6);
  CHECK(file.eof());
  CHECK(file.seek(-2, SEEK_END));
  CHECK(file.seek(-1, SEEK_CUR));
  char text[4] = {};
  CHECK(file.read(text, 3).value() == 3);
  CHECK(std::string(text) == "def");
  CHECK(file.read(text, 1).error() == GXF_FAILURE);
  CHECK(file.seek(-1).error() == GXF_ARGUMENT_OUT_OF_RANGE);
  CHECK(file.seek(1));
  CHECK_FALSE(file.eof());
  CHECK(file.flush());
  CHECK(file.close());
  CHECK_FALSE(file.isOpen());
}

TEST_CASE("An endpoint of a source says how much it took", "[gxf_layer]") {
  Pipe pipe;
  CHECK(pipe.write("abcdef", 6).value() == 3);
  char bytes[6];
  CHECK(pipe.read(bytes, 6).value() == 3);
  CHECK(pipe.isReadAvailable());
  CHECK(pipe.isWriteAvailable());
  CHECK(pipe.write_ptr(bytes, 1, MemoryStorageType::kHost).error() == GXF_NOT_IMPLEMENTED);
}

TEST_CASE("A component serializer has one function for each type", "[gxf_layer]") {
  Serializer serializer;
  const gxf_tid_t tid = layer::TypeOf<int64_t>()->tid;
  CHECK(TidHash()(tid) != TidHash()(GxfTidNull()));
  CHECK_FALSE(serializer.isSupported(tid));
  CHECK(serializer.setSerializer<int64_t>(&Serializer::write));
  CHECK_FALSE(serializer.isSupported(tid));
  CHECK(serializer.setDeserializer(tid, &Serializer::read));
  CHECK(serializer.isSupported(tid));
  const LogLines lines;
  CHECK(serializer.setSerializer(tid, &Serializer::write).error() == GXF_FAILURE);
  CHECK(serializer.setDeserializer<int64_t>(&Serializer::read).error() == GXF_FAILURE);
  CHECK(serializer.setSerializer<Serializer>(&Serializer::write).error() ==
        GXF_FACTORY_UNKNOWN_CLASS_NAME);

  Pipe pipe;
  pipe.bytes = "12345678";
  int64_t value = 0;
  CHECK(serializer.getDeserializer<int64_t>().value()(&value, &pipe));
  CHECK(value == 0x3837363534333231);
  CHECK(serializer.getSerializer(tid));
  CHECK(serializer.clearSerializer<int64_t>());
  CHECK(serializer.getSerializer<int64_t>().error() == GXF_QUERY_NOT_FOUND);
  CHECK(serializer.clearSerializer(tid).error() == GXF_QUERY_NOT_FOUND);
  CHECK(serializer.clearDeserializer(tid));
  CHECK_FALSE(serializer.isSupported(tid));
}

}  // namespace nvidia::gxf::serialization_test
