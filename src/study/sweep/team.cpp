#include "study/sweep/team.hpp"

#include <cstdlib>
#ifdef KAKEHASHI_MPI
#include <mpi.h>
#endif

namespace kakehashi {

bool was_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) // Open MPI's, Slurm's and others'
    if (std::getenv(name))
      return true;
  return false;
}

#ifdef KAKEHASHI_MPI

// Without a launcher MPI is not needed.
Team::Team() {
  if (!was_launched())
    return;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Team::~Team() {
  if (was_launched())
    MPI_Finalize();
}

std::vector<std::string> Team::gather(const std::string& text) const {
  if (size_ == 1)
    return {text};
  const auto count = static_cast<std::size_t>(size_);
  int length = static_cast<int>(text.size());
  std::vector<int> lengths(count);
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> begins(count);
  for (std::size_t i = 1; i < count; ++i)
    begins[i] = begins[i - 1] + lengths[i - 1];
  std::string all(static_cast<std::size_t>(begins.back() + lengths.back()), '\0');
  MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i)
    texts.push_back(all.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(lengths[i])));
  return texts;
}

std::string Team::share(const std::string& text) const {
  return gather(rank_ == 0 ? text : std::string()).front();
}

bool Team::agree(bool value) const {
  int common = value;
  if (size_ > 1)
    MPI_Bcast(&common, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return common != 0;
}

#else

Team::Team() = default;
Team::~Team() = default;

std::vector<std::string> Team::gather(const std::string& text) const {
  return {text};
}

std::string Team::share(const std::string& text) const {
  return text;
}

bool Team::agree(bool value) const {
  return value;
}

#endif

} // namespace kakehashi
