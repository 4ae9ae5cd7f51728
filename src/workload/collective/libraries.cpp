#include "workload/collective/libraries.hpp"

#include "base/data_folder.hpp"
#include "base/text.hpp"
#include "input/library/library_reader.hpp"
#include "model/platform.hpp"
#include "workload/collective/registry.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <mutex>

namespace kakehashi {
namespace {

struct Loaded {
  std::shared_ptr<const MpiLibrary> library;
  Errors faults; // faults of the data folder's file
};

using Followed = std::function<std::shared_ptr<const MpiLibrary>(const std::string&)>;

Result<std::shared_ptr<const MpiLibrary>> read(const std::string& text, const std::string& file, Followed followed) {
  const LibraryNames names{
      [](Collective collective, std::string_view name) { return find_algorithm(collective, name).has_value(); },
      std::move(followed)};
  const auto document = parse_json(text, file);
  return document ? read_library(*document, names) : document.errors();
}

// The library that was compiled in, which follows such ones.
std::shared_ptr<const MpiLibrary> embedded(std::string_view name) {
  const auto all = embedded_libraries();
  const auto found = std::ranges::find(all, name, &EmbeddedLibrary::name);
  assert(found != all.end());
  auto library = read(std::string(found->text), std::string(name), embedded);
  assert(library);
  return std::move(*library);
}

// The libraries that were asked for. Each is loaded once, and stays.
class Shelf {
public:
  const Loaded& at(Selector selector) {
    const auto i = static_cast<std::size_t>(selector);
    if (const auto* ready = ready_[i].load(std::memory_order_acquire))
      return *ready;
    const std::lock_guard lock(mutex_);
    if (!owned_[i]) {
      is_loading_[i] = true;
      owned_[i] = std::make_unique<const Loaded>(load(selector_names[i]));
      is_loading_[i] = false;
      ready_[i].store(owned_[i].get(), std::memory_order_release);
    }
    return *owned_[i];
  }

  // Null: there is no such library, or it is being loaded, and so follows the one that asks.
  std::shared_ptr<const MpiLibrary> followed(const std::string& name) {
    const auto selector = from_name<Selector>(selector_names, name);
    const std::lock_guard lock(mutex_);
    return selector && !is_loading_[static_cast<std::size_t>(*selector)] ? at(*selector).library : nullptr;
  }

private:
  Loaded load(std::string_view name) {
    const auto folder = find_data_folder();
    const auto file =
        folder ? std::filesystem::path(*folder) / "libraries" / (std::string(name) + ".json") : std::filesystem::path();
    if (std::error_code none; !folder || !std::filesystem::exists(file, none))
      return {embedded(name), {}};
    const auto text = read_text(file.string());
    const auto followed = [this](const std::string& other) { return this->followed(other); };
    auto library = text ? read(*text, file.string(), followed) : text.errors();
    if (!library)
      return {embedded(name), library.errors()};
    return {std::move(*library), {}};
  }

  std::recursive_mutex mutex_;
  std::array<std::unique_ptr<const Loaded>, selector_names.size()> owned_;
  std::array<std::atomic<const Loaded*>, selector_names.size()> ready_{};
  std::array<bool, selector_names.size()> is_loading_{};
};

Shelf& shelf() {
  static Shelf shelf;
  return shelf;
}

} // namespace

const MpiLibrary& library_of(Selector selector) {
  return *shelf().at(selector).library;
}

const Errors& faults_of_library(Selector selector) {
  return shelf().at(selector).faults;
}

Result<std::shared_ptr<const MpiLibrary>> read_own_library(const std::string& file) {
  const auto text = read_text(file);
  return text ? read(*text, file, [](const std::string& name) { return shelf().followed(name); }) : text.errors();
}

Selector followed_by(const MpiLibrary& own) {
  return *from_name<Selector>(selector_names, own.next->name);
}

CollectiveRules rules_of(std::shared_ptr<const MpiLibrary> own, const std::string& file) {
  CollectiveRules rules{file, own->decisions, {}};
  for (auto& row : rules.rows) { // names that outlive the library
    row.algorithm = algorithm_table()[index_of_algorithm(row.collective, row.algorithm)].name;
    row.claim = {};
  }
  rules.own = std::move(own);
  return rules;
}

const MpiLibrary& own_or_followed(const Library& library) {
  return library.rules && library.rules->own ? *library.rules->own : library_of(library.selector);
}

const MpiLibrary& root_of(const MpiLibrary& library) {
  return library.next ? root_of(*library.next) : library;
}

bool follows(const MpiLibrary& library, Selector ancestor) {
  return library.name == selector_names[static_cast<std::size_t>(ancestor)] ||
         (library.next && follows(*library.next, ancestor));
}

// Reductions are assumed to add 4-byte elements, as in IMB and OSU; broadcasts send bytes.
bool has_enough(VectorNeed need, Bytes vector, unsigned ranks, Bytes segment) {
  constexpr std::uint64_t element = 4;
  switch (need) {
  case VectorNeed::element_a_rank: return vector.count >= element * ranks;
  case VectorNeed::element_a_power_of_two: return vector.count >= element * std::bit_floor(ranks);
  case VectorNeed::byte_a_rank: return vector.count >= ranks;
  case VectorNeed::two_segments: return vector.count >= 2 * std::max<std::uint64_t>(1, segment.count);
  case VectorNeed::segment_a_rank: // without segments, the whole vector is one segment
    return vector.count >= (segment.count > 0 ? segment.count * ranks : largest_size.count);
  }
  return true;
}

const NamedAlgorithm* open_mpi_algorithm(Collective collective, int number) {
  for (const auto& each : library_of(Selector::open_mpi).algorithms)
    if (each.collective == collective && each.number == number)
      return &each;
  return nullptr;
}

const NamedAlgorithm* mpich_function(Collective collective, std::string_view name) {
  for (const auto& each : library_of(Selector::mpich).algorithms)
    if (each.collective == collective && each.function == name)
      return &each;
  return nullptr;
}

} // namespace kakehashi
