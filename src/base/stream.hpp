// Sequences of values that are read one by one; only one value is in memory at a time.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

template <class T> class Stream {
public:
  virtual ~Stream() = default;

  virtual const std::string& file() const = 0;
  virtual std::string_view unit() const { return "line"; } // what the number of a value counts
  // Returns the next value, which stays valid until the next call; null at the end, and at a fault.
  virtual const T* next() = 0;
  virtual const std::optional<Error>& fault() const = 0;
};

// A named set of ranks, such as those of a communicator.
struct RankGroup {
  std::string name;
  std::vector<int> members;
};

// One stream for each rank. A stream may be opened more than once; each is read on its own.
template <class T> class StreamSource {
public:
  virtual ~StreamSource() = default;

  virtual std::unique_ptr<Stream<T>> open(int rank) const = 0;
  virtual std::uint64_t bytes() const = 0;            // length of all ranks' text
  virtual std::vector<std::string> files() const = 0; // the files that it reads
  // The ranks of each communicator, the world first; empty if there is only the world.
  virtual const std::vector<RankGroup>& communicators() const {
    static const std::vector<RankGroup> none;
    return none;
  }
  // What the source assumes because its files do not state it, in sentences; known from the start.
  virtual const std::vector<std::string>& warnings() const {
    static const std::vector<std::string> none;
    return none;
  }
  // Whether some streams end earlier than their ranks did, so that other ranks may wait for ever.
  virtual bool is_cut() const { return false; }
  // Advice for a user whose calls in communicators do not match; may be empty.
  virtual std::string communicator_advice() const { return ""; }
};

} // namespace kakehashi
