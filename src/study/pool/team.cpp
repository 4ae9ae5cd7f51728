#include "study/pool/team.hpp"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

// Returns the first of these variables that is a number.
std::optional<int> number_of(std::initializer_list<const char*> variables) {
  for (const auto* name : variables)
    if (const auto* text = std::getenv(name))
      return std::atoi(text);
  return std::nullopt;
}

} // namespace

std::optional<Launch> launch() {
  const auto rank = number_of({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
  if (!rank)
    return std::nullopt;
  const auto size = number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
  return Launch{*rank, size.value_or(1)};
}

// Functions of MPI, by both of its binary interfaces: handles are addresses of objects in Open MPI, and numbers in
// MPICH and its relatives. Either fits in a register, and a callee that wants an int reads the register's lower half.
class Team::Library {
public:
  using Handle = std::uintptr_t;
  int (*init)(int*, char***) = nullptr;
  int (*finalize)() = nullptr;
  int (*rank)(Handle, int*) = nullptr;
  int (*size)(Handle, int*) = nullptr;
  int (*allgather)(const void*, int, Handle, void*, int, Handle, Handle) = nullptr;
  int (*allgatherv)(const void*, int, Handle, void*, const int*, const int*, Handle, Handle) = nullptr;
  Handle world = 0x44000000;
  Handle integer = 0x4c000405;
  Handle byte = 0x4c00010d;

  static std::unique_ptr<Library> load(Errors& errors) {
    std::vector<std::string> names;
    if (const auto* name = std::getenv("KAKEHASHI_MPI_LIBRARY"))
      names = {name};
    else if (std::getenv("OMPI_COMM_WORLD_SIZE") || !std::getenv("PMI_RANK"))
      names = {"libmpi.so.40", "libmpi.so", "libmpi.so.12", "libmpich.so.12"};
    else
      names = {"libmpich.so.12", "libmpi.so.12", "libmpi.so.40", "libmpi.so"};
    for (const auto& name : names)
      if (void* file = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL)) { // the library's plug-ins look for its symbols
        auto library = std::make_unique<Library>();
        if (library->find(file))
          return library;
        errors.push_back(system_error(name + " is no MPI library"));
        return nullptr;
      }
    errors.push_back(system_error(fmt::format(
        "mpirun started several processes, but there is no MPI library through which they could share the work ({}); "
        "set KAKEHASHI_MPI_LIBRARY to its path",
        fmt::join(names, ", "))));
    return nullptr;
  }

private:
  bool find(void* file) {
    const auto take = [&](const char* name, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(file, name));
      return function != nullptr;
    };
    if (dlsym(file, "ompi_mpi_comm_world"))
      for (auto [name, handle] :
           {std::pair("ompi_mpi_comm_world", &world), {"ompi_mpi_int", &integer}, {"ompi_mpi_byte", &byte}})
        *handle = reinterpret_cast<Handle>(dlsym(file, name));
    return take("MPI_Init", init) && take("MPI_Finalize", finalize) && take("MPI_Comm_rank", rank) &&
           take("MPI_Comm_size", size) && take("MPI_Allgather", allgather) && take("MPI_Allgatherv", allgatherv);
  }
};

// A process without others does not need MPI.
Team::Team(bool may_join) {
  const auto launched = launch();
  if (!may_join || !launched || launched->size < 2)
    return;
  library_ = Library::load(errors_);
  if (library_) {
    library_->init(nullptr, nullptr);
    library_->rank(library_->world, &rank_);
    library_->size(library_->world, &size_);
    if (size_ != launched->size)
      errors_.push_back(system_error(fmt::format("{} processes were started, but the MPI library that was found joins "
                                                 "{} of them: it is not that of the launcher; "
                                                 "set KAKEHASHI_MPI_LIBRARY to the path of that",
                                                 launched->size, size_)));
  }
  if (!errors_.empty())
    rank_ = launched->rank;
}

Team::~Team() {
  if (library_)
    library_->finalize();
}

std::vector<std::string> Team::gather(const std::string& text) const {
  if (size_ == 1)
    return {text};
  const auto count = static_cast<std::size_t>(size_);
  const int length = static_cast<int>(text.size());
  std::vector<int> lengths(count);
  library_->allgather(&length, 1, library_->integer, lengths.data(), 1, library_->integer, library_->world);
  std::vector<int> begins(count);
  for (std::size_t i = 1; i < count; ++i)
    begins[i] = begins[i - 1] + lengths[i - 1];
  std::string all(static_cast<std::size_t>(begins.back() + lengths.back()), '\0');
  library_->allgatherv(text.data(), length, library_->byte, all.data(), lengths.data(), begins.data(), library_->byte,
                       library_->world);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i)
    texts.push_back(all.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(lengths[i])));
  return texts;
}

std::string Team::share(const std::string& text) const {
  return gather(rank_ == 0 ? text : std::string()).front();
}

bool Team::agree(bool value) const {
  return share(value ? "yes" : "no") == "yes";
}

} // namespace kakehashi
