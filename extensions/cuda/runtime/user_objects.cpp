#include "user_objects.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "cuda_call.hpp"
#include "observe/own_thread.hpp"

namespace gxr::cuda {
namespace {

/// The content of a user object of CUDA; made before, so that nothing has to be allocated when
/// CUDA gives it back.
struct Tied {
  std::shared_ptr<const void> object;
  Tied* next = nullptr;
};

/// Lets objects go on a thread of its own: CUDA gives them back where none of its functions may be
/// called.
class LettingGo {
 public:
  LettingGo() {
    start_thread("the thread that lets go what CUDA graphs have held", [this] { run(); }).detach();
  }

  void hand_over(Tied* tied) noexcept {
    {
      const std::lock_guard lock(mutex_);
      tied->next = std::exchange(first_, tied);
    }
    changed_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return first_ != nullptr; });
      Tied* each = std::exchange(first_, nullptr);
      lock.unlock();
      while (each != nullptr) {
        const std::unique_ptr<Tied> gone(each);
        each = gone->next;
      }
    }
  }

  std::mutex mutex_;  // guards first_
  std::condition_variable changed_;
  Tied* first_ = nullptr;
};

LettingGo& letting_go() {
  // Never destroyed: CUDA may give objects back at any time.
  static LettingGo* const once = new LettingGo();
  return *once;
}

void CUDART_CB give_back(void* tied) { letting_go().hand_over(static_cast<Tied*>(tied)); }

}  // namespace

void tie(cudaGraph_t graph, std::shared_ptr<const void> object) {
  static_cast<void>(letting_go());  // its thread is not to be started by a callback
  auto tied = std::make_unique<Tied>();
  tied->object = std::move(object);
  cudaUserObject_t user_object = nullptr;
  cuda_check("cudaUserObjectCreate", cudaUserObjectCreate(&user_object, tied.get(), give_back, 1,
                                                          cudaUserObjectNoDestructorSync));
  static_cast<void>(tied.release());  // give_back() has it now
  const cudaError_t result =
      cudaGraphRetainUserObject(graph, user_object, 1, cudaGraphUserObjectMove);
  if (result != cudaSuccess) {
    static_cast<void>(cudaUserObjectRelease(user_object, 1));
  }
  cuda_check("cudaGraphRetainUserObject", result);
}

}  // namespace gxr::cuda
