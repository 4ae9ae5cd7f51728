// The processes that share the work of a sweep: one, or those that mpirun, srun or another MPI launcher started. It
// finds their MPI library when it needs it, so one build of the program works with any of them.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kakehashi {

// What mpirun, srun or another MPI launcher states about this process. A launcher may give it a terminal that no one
// sees.
struct Launch {
  int rank = 0;
  int size = 1;
};
std::optional<Launch> launch();

class Team {
public:
  // Joins the processes that the same launcher started, if there are any and may_join.
  explicit Team(bool may_join);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // No library could join the processes: each is a team of its own, and the one with rank 0 should report this.
  const Errors& errors() const { return errors_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  // Returns the texts of all processes in the order of ranks. All must call it.
  std::vector<std::string> gather(const std::string& text) const;
  // Return the first process's value. All must call them.
  bool agree(bool value) const;
  std::string share(const std::string& text) const;

private:
  class Library;
  std::unique_ptr<const Library> library_; // null: there is no other process
  int rank_ = 0;
  int size_ = 1;
  Errors errors_;
};

} // namespace kakehashi
