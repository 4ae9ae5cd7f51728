// Values that child processes write and that their parent reads meanwhile.
#pragma once

#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace kakehashi {

// Children that start while it lives share it. T is a type of lock-free atomics; the values begin as T{}.
template <class T> class SharedValues {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  explicit SharedValues(std::size_t count)
      : count_(count),
        room_(mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (room_ == MAP_FAILED)
      throw std::bad_alloc();
    for (std::size_t i = 0; i < count; ++i)
      new (&(*this)[i]) T{};
  }
  ~SharedValues() { munmap(room_, count_ * sizeof(T)); }
  SharedValues(const SharedValues&) = delete;
  SharedValues& operator=(const SharedValues&) = delete;

  T& operator[](std::size_t index) const { return static_cast<T*>(room_)[index]; }

private:
  std::size_t count_;
  void* room_;
};

} // namespace kakehashi
