// The processes that share a sweep's work: one, or those that mpirun, srun or another launcher of MPI started. Their
// MPI library is found when it is needed, so one build serves under any of them.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// That mpirun, srun or another launcher of MPI started this process. They may give it a terminal that nobody sees.
struct Launch {
  int rank = 0;
  int size = 1;
};
std::optional<Launch> launch();

class Team {
public:
  // Joins those that the same launcher started, if there are any and it may.
  explicit Team(bool may_join);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // No library joins the processes: then each is a team of its own, of which that of rank 0 should say so.
  const Errors& errors() const { return errors_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  // Everybody's text, in the order of ranks; all must call it.
  std::vector<std::string> gather(const std::string& text) const;
  // What the first one says; all must call these too.
  bool agree(bool value) const;
  std::string share(const std::string& text) const;

private:
  class Library;
  std::unique_ptr<const Library> library_; // null: nobody else is there
  int rank_ = 0;
  int size_ = 1;
  Errors errors_;
};

} // namespace kakehashi
