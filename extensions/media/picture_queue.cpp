#include "media/picture_queue.hpp"

#include <utility>

namespace gxr::media {

void PictureQueue::open(AsynchronousSchedulingTerm& term, std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  term_ = &term;
  capacity_ = capacity;
  arrived_ = 0;
  dropped_ = 0;
  lost_gap_ = false;
  failure_.clear();
  ended_ = false;
  open_ = true;
  tell();
}

void PictureQueue::close() {
  std::deque<Picture> old;  // goes after the lock
  const std::lock_guard lock(mutex_);
  open_ = false;
  old.swap(pictures_);
  room_.notify_all();
}

bool PictureQueue::push(Picture picture, Fullness fullness, std::uint64_t& dropped) {
  Picture oldest;  // goes after the lock
  std::unique_lock lock(mutex_);
  if (fullness == Fullness::Waits) {
    room_.wait(lock, [this] { return !open_ || pictures_.size() < capacity_; });
  }
  if (!open_) {
    return false;
  }
  picture.number = arrived_++;
  picture.follows_gap = picture.follows_gap || std::exchange(lost_gap_, false);
  if (pictures_.size() >= capacity_) {
    dropped = ++dropped_;
    if (fullness == Fullness::DropsNewest) {
      lost_gap_ = picture.follows_gap;
      return true;
    }
    oldest = std::move(pictures_.front());
    pictures_.pop_front();
    Picture& next = pictures_.empty() ? picture : pictures_.front();
    next.follows_gap = next.follows_gap || oldest.follows_gap;
  }
  pictures_.push_back(std::move(picture));
  tell();
  return true;
}

void PictureQueue::end(bool at_once) {
  std::deque<Picture> old;  // goes after the lock
  const std::lock_guard lock(mutex_);
  ended_ = true;
  if (at_once) {
    old.swap(pictures_);
    failure_.clear();
  }
  tell();
  open_ = open_ && !at_once;
  room_.notify_all();
}

void PictureQueue::fail(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) {
    failure_ = reason;
  }
  tell();
}

std::optional<Picture> PictureQueue::take() {
  const std::lock_guard lock(mutex_);
  std::optional<Picture> taken;
  if (!pictures_.empty()) {
    taken = std::move(pictures_.front());
    pictures_.pop_front();
    room_.notify_one();
  }
  tell();
  return taken;
}

std::string PictureQueue::failure() const {
  const std::lock_guard lock(mutex_);
  return pictures_.empty() ? failure_ : std::string{};
}

std::uint64_t PictureQueue::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void PictureQueue::tell() {
  if (open_) {
    term_->set_event_state(!pictures_.empty() || !failure_.empty()
                               ? AsynchronousEventState::EventDone
                           : ended_ ? AsynchronousEventState::EventNever
                                    : AsynchronousEventState::EventWaiting);
  }
}

}  // namespace gxr::media
