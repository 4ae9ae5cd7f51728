// A queue that keeps its memory: what leaves at the front makes room at the back. A few entries live in the queue
// itself.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace kakehashi {

template <class T, std::size_t few = 4> class Ring {
  static_assert((few & (few - 1)) == 0, "a power of two");

public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { // below size()
    assert(index < size_);
    return slots()[(begin_ + index) & (room_ - 1)];
  }
  const T& operator[](std::size_t index) const {
    assert(index < size_);
    return slots()[(begin_ + index) & (room_ - 1)];
  }
  T& front() { // there must be one
    assert(!empty());
    return slots()[begin_];
  }

  void push_back(const T& value) {
    if (size_ == room_)
      grow();
    slots()[(begin_ + size_++) & (room_ - 1)] = value;
  }
  void pop_front() { // likewise
    assert(!empty());
    begin_ = (begin_ + 1) & (room_ - 1);
    --size_;
  }

  void remove(std::size_t at) { // below size(); the others keep their order
    assert(at < size_);
    if (at < size_ / 2) {
      for (; at > 0; --at)
        (*this)[at] = (*this)[at - 1];
      pop_front();
      return;
    }
    for (; at + 1 < size_; ++at)
      (*this)[at] = (*this)[at + 1];
    --size_;
  }

  // Returns the index of the first entry like that; size(): there is none.
  template <class Like> std::size_t find(const Like& is_like) const {
    std::size_t at = 0;
    while (at < size_ && !is_like((*this)[at]))
      ++at;
    return at;
  }
  void clear() { size_ = 0; }

private:
  T* slots() { return many_ ? many_.get() : few_; }
  const T* slots() const { return many_ ? many_.get() : few_; }
  void grow() {
    auto more = std::make_unique<T[]>(2 * std::size_t{room_});
    for (std::size_t i = 0; i < size_; ++i)
      more[i] = (*this)[i];
    many_ = std::move(more);
    begin_ = 0;
    room_ *= 2;
  }

  std::uint32_t begin_ = 0;
  std::uint32_t size_ = 0;
  std::uint32_t room_ = few;
  std::unique_ptr<T[]> many_; // instead of the few
  T few_[few]{};
};

} // namespace kakehashi
