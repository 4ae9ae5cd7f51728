// A queue that keeps its memory: what leaves at the front makes room at the back.
#pragma once

#include <cstddef>
#include <vector>

namespace kakehashi {

template <class T> class Ring {
public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return slots_[(begin_ + index) & (slots_.size() - 1)]; }
  const T& operator[](std::size_t index) const { return slots_[(begin_ + index) & (slots_.size() - 1)]; }
  T& front() { return slots_[begin_]; }

  void push_back(const T& value) {
    if (size_ == slots_.size())
      grow();
    slots_[(begin_ + size_++) & (slots_.size() - 1)] = value;
  }
  void pop_front() {
    begin_ = (begin_ + 1) & (slots_.size() - 1);
    --size_;
  }

private:
  void grow() {
    std::vector<T> more(slots_.empty() ? 4 : 2 * slots_.size()); // a power of two
    for (std::size_t i = 0; i < size_; ++i)
      more[i] = (*this)[i];
    slots_.swap(more);
    begin_ = 0;
  }

  std::vector<T> slots_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

} // namespace kakehashi
