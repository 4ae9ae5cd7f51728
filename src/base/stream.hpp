// Values that are read one after the other, of which only one is held at a time.
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
  virtual std::string_view unit() const { return "line"; } // what a value's number counts
  // The next value, valid until the next call; null at the end, or at a fault.
  virtual const T* next() = 0;
  virtual const std::optional<Error>& fault() const = 0;
};

// Ranks that have a name together, such as those of a communicator.
struct RankGroup {
  std::string name;
  std::vector<int> members;
};

// A stream for each rank. Streams may be opened again and again; each is read on its own.
template <class T> class StreamSource {
public:
  virtual ~StreamSource() = default;

  virtual std::unique_ptr<Stream<T>> open(int rank) const = 0;
  virtual std::uint64_t bytes() const = 0;            // of all ranks' text
  virtual std::vector<std::string> files() const = 0; // that are read
  // The ranks of each communicator; none: there is only the world. Else the world is the first.
  virtual const std::vector<RankGroup>& communicators() const {
    static const std::vector<RankGroup> none;
    return none;
  }
  // Assumptions about things that the values lack, a sentence each; known when the source is there.
  virtual const std::vector<std::string>& warnings() const {
    static const std::vector<std::string> none;
    return none;
  }
  // Some ranks' values end before what they did, so that others may wait for ever.
  virtual bool is_cut() const { return false; }
  // Advice for where calls in communicators do not fit each other; empty: none.
  virtual std::string communicator_advice() const { return ""; }
};

} // namespace kakehashi
