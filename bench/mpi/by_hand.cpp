// A hop between two ranks by MPI without gxr: by_hand BYTES ROUNDS MESSAGES. Rank 0 prints the
// time of one way of a message and back, halved, and of each of many messages with 16 under way, in
// ns.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <mpi.h>

namespace {

constexpr int kWindow = 16;

double ns_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

double one_way(int rank, std::vector<char>& data, int rounds) {
  const int bytes = static_cast<int>(data.size());
  const int other = 1 - rank;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) {
      MPI_Send(data.data(), bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
      MPI_Recv(data.data(), bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(data.data(), bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data.data(), bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    }
  }
  return ns_since(begin) / (2.0 * rounds);
}

double each_of_many(int rank, std::size_t bytes, int messages) {
  std::vector<std::vector<char>> data(kWindow, std::vector<char>(bytes));
  std::vector<MPI_Request> requests(kWindow, MPI_REQUEST_NULL);
  char taken = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < messages; ++i) {
    const auto slot = static_cast<std::size_t>(i % kWindow);
    MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
    if (rank == 0) {
      MPI_Isend(data[slot].data(), static_cast<int>(bytes), MPI_BYTE, 1, 0, MPI_COMM_WORLD,
                &requests[slot]);
    } else {
      MPI_Irecv(data[slot].data(), static_cast<int>(bytes), MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                &requests[slot]);
    }
  }
  MPI_Waitall(kWindow, requests.data(), MPI_STATUSES_IGNORE);
  if (rank == 0) {
    MPI_Recv(&taken, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&taken, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
  return ns_since(begin) / messages;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("by_hand BYTES ROUNDS MESSAGES\n", stderr);
    return 2;
  }
  const auto bytes = static_cast<std::size_t>(std::atoll(argv[1]));
  const int rounds = std::atoi(argv[2]);
  const int messages = std::atoi(argv[3]);
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<char> data(bytes);
  one_way(rank, data, rounds / 10 + 1);
  const double way = one_way(rank, data, rounds);
  each_of_many(rank, bytes, messages / 10 + kWindow);
  const double each = each_of_many(rank, bytes, messages);
  if (rank == 0) {
    std::printf("one_way_ns %.1f\neach_ns %.1f\n", way, each);
  }
  MPI_Finalize();
  return 0;
}
