// libgxr_mpi.so: the only part of gxr that uses MPI.

#include <algorithm>
#include <climits>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "gxr/error.hpp"
#include "rank_run/interface_version.hpp"
#include "rank_run/mpi_port.hpp"

namespace gxr {
namespace {

[[noreturn]] void throw_of_mpi(const char* what, int code) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw Error(ErrorCode::InputOutput, std::string("MPI: ") + what + ": " + text);
}

void check(const char* what, int code) {
  if (code != MPI_SUCCESS) {
    throw_of_mpi(what, code);
  }
}

/// MPI counts in int, which is too little for large messages: those are one element of a type that
/// is as large.
class Extent {
 public:
  explicit Extent(std::uint64_t bytes) {
    if (bytes <= INT_MAX) {
      count_ = static_cast<int>(bytes);
      return;
    }
    constexpr int kBlock = 1 << 30;
    const auto blocks = static_cast<int>(bytes / kBlock);
    const auto rest = static_cast<int>(bytes % kBlock);
    MPI_Datatype block = MPI_DATATYPE_NULL;
    check("a large type", MPI_Type_contiguous(kBlock, MPI_BYTE, &block));
    const int lengths[] = {blocks, rest};
    const MPI_Aint places[] = {0, static_cast<MPI_Aint>(blocks) * kBlock};
    const MPI_Datatype types[] = {block, MPI_BYTE};
    check("a large type", MPI_Type_create_struct(2, lengths, places, types, &made_));
    check("a large type", MPI_Type_commit(&made_));
    MPI_Type_free(&block);
    count_ = 1;
  }
  Extent(const Extent&) = delete;
  Extent& operator=(const Extent&) = delete;
  ~Extent() {
    if (made_ != MPI_DATATYPE_NULL) {
      MPI_Type_free(&made_);  // what uses it goes on
    }
  }
  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] MPI_Datatype type() const noexcept {
    return made_ != MPI_DATATYPE_NULL ? made_ : MPI_BYTE;
  }

 private:
  int count_ = 0;
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
};

class Mpi final : public MpiPort {
 public:
  Mpi() {
    int given = MPI_THREAD_SINGLE;
    check("MPI_Init_thread", MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given));
    if (given < MPI_THREAD_SERIALIZED) {
      throw Error(ErrorCode::NotSupported,
                  "this MPI library cannot be used by several threads of a process "
                  "(MPI_THREAD_SERIALIZED)");
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check("MPI_Comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, &all_));
    MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN);
    check("MPI_Comm_rank", MPI_Comm_rank(all_, &rank_));
    check("MPI_Comm_size", MPI_Comm_size(all_, &ranks_));
    MPI_Comm host = MPI_COMM_NULL;
    check("MPI_Comm_split_type",
          MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host));
    check("MPI_Comm_size", MPI_Comm_size(host, &of_host_));
    check("MPI_Comm_rank", MPI_Comm_rank(host, &rank_of_host_));
    MPI_Comm_free(&host);
    void* tag = nullptr;
    int has_tag = 0;
    check("MPI_TAG_UB", MPI_Comm_get_attr(all_, MPI_TAG_UB, &tag, &has_tag));
    if (has_tag != 0) {
      greatest_tag_ = *static_cast<const int*>(tag);
    }
  }

  [[nodiscard]] std::uint32_t rank() const noexcept override { return to_unsigned(rank_); }
  [[nodiscard]] std::uint32_t ranks() const noexcept override { return to_unsigned(ranks_); }
  [[nodiscard]] std::uint32_t ranks_of_host() const noexcept override {
    return to_unsigned(of_host_);
  }
  [[nodiscard]] std::uint32_t rank_of_host() const noexcept override {
    return to_unsigned(rank_of_host_);
  }
  [[nodiscard]] std::uint32_t greatest_tag() const noexcept override {
    return to_unsigned(greatest_tag_);
  }

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) override {
    std::vector<std::byte> all(own.size() * ranks());
    const auto each = static_cast<int>(own.size());
    check("MPI_Allgather",
          MPI_Allgather(own.data(), each, MPI_BYTE, all.data(), each, MPI_BYTE, all_));
    std::vector<std::vector<std::byte>> result;
    for (std::size_t i = 0; i < ranks(); ++i) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(i * own.size());
      result.emplace_back(begin, begin + each);
    }
    return result;
  }

  Request send(std::uint32_t to, std::uint32_t tag, std::span<const std::byte> bytes) override {
    const Extent extent(bytes.size());
    const Request request = free_request();
    check("MPI_Isend", MPI_Isend(bytes.data(), extent.count(), extent.type(), static_cast<int>(to),
                                 static_cast<int>(tag), all_, &requests_[request]));
    return request;
  }

  std::optional<Arrival> probe() override {
    int is_there = 0;
    MPI_Status status;
    check("MPI_Improbe",
          MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, all_, &is_there, &arrived_, &status));
    if (is_there == 0) {
      return std::nullopt;
    }
    MPI_Count bytes = 0;
    check("MPI_Get_elements_x", MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    return Arrival{to_unsigned(status.MPI_SOURCE), to_unsigned(status.MPI_TAG),
                   static_cast<std::uint64_t>(bytes)};
  }

  Request receive(std::span<std::byte> bytes) override {
    const Extent extent(bytes.size());
    const Request request = free_request();
    check("MPI_Imrecv",
          MPI_Imrecv(bytes.data(), extent.count(), extent.type(), &arrived_, &requests_[request]));
    return request;
  }

  bool is_done(Request request) override {
    int done = 0;
    check("MPI_Test", MPI_Test(&requests_[request], &done, MPI_STATUS_IGNORE));
    if (done != 0) {
      free_.push_back(request);
    }
    return done != 0;
  }

  Request begin_barrier() override {
    const Request request = free_request();
    check("MPI_Ibarrier", MPI_Ibarrier(all_, &requests_[request]));
    return request;
  }

  void finish() override {
    MPI_Comm_free(&all_);
    check("MPI_Finalize", MPI_Finalize());
  }

 private:
  static std::uint32_t to_unsigned(int value) noexcept { return static_cast<std::uint32_t>(value); }

  Request free_request() {
    if (free_.empty()) {
      requests_.push_back(MPI_REQUEST_NULL);
      free_.reserve(requests_.size());
      return requests_.size() - 1;
    }
    const Request request = free_.back();
    free_.pop_back();
    return request;
  }

  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  int of_host_ = 1;
  int rank_of_host_ = 0;
  int greatest_tag_ = 32'767;  // the least that the standard allows
  MPI_Message arrived_ = MPI_MESSAGE_NULL;
  std::vector<MPI_Request> requests_;
  std::vector<Request> free_;  // of requests_
};

}  // namespace
}  // namespace gxr

const char* gxr_mpi_interface() { return gxr::kMpiInterface; }

gxr::MpiPort* gxr_start_mpi() { return std::make_unique<gxr::Mpi>().release(); }

void gxr_describe_mpi(std::string& text) {
  text.resize(MPI_MAX_LIBRARY_VERSION_STRING);
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  text.resize(std::min(text.find_first_of(",\n"), text.size()));  // more is of its build
}
