// The processes that share a sweep's work: one, or those that mpirun started (option KAKEHASHI_MPI).
#pragma once

#include <string>
#include <vector>

namespace kakehashi {

// Whether mpirun, srun or another launcher of MPI started this process. They may give it a terminal that nobody sees.
bool was_launched();

class Team {
public:
  Team(); // joins those that the same mpirun started, if there are any
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // Everybody's text, in the order of ranks; all must call it.
  std::vector<std::string> gather(const std::string& text) const;
  // What the first one says; all must call these too.
  bool agree(bool value) const;
  std::string share(const std::string& text) const;

private:
  int rank_ = 0;
  int size_ = 1;
};

} // namespace kakehashi
