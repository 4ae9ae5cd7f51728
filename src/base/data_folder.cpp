#include "base/data_folder.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/auxv.h>

namespace kakehashi {
namespace {

bool holds_data(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::is_regular_file(folder / "platforms" / "platform.schema.json", none) &&
         std::filesystem::is_directory(folder / "scenarios" / "reference", none);
}

std::filesystem::path this_program() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed)
    return program;
  // There is no /proc, as in a bare chroot: take the name by which the program was started.
  const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return std::filesystem::absolute(name ? name : "", failed);
}

} // namespace

Result<std::string> find_data_folder(const std::optional<std::string>& stated, const std::filesystem::path& program) {
  if (stated) {
    if (holds_data(*stated))
      return *stated;
    return file_error(ErrorKind::usage, *stated,
                      "KAKEHASHI_DATA names a folder without platforms/ and scenarios/reference/");
  }
  const auto folder = program.parent_path();
  std::vector<std::filesystem::path> places{folder.parent_path() / "share" / "kakehashi"};
  for (auto above = folder; places.back() != above; above = above.parent_path())
    places.push_back(above);
  std::vector<std::string> looked_at;
  for (const auto& place : places) {
    if (holds_data(place))
      return place.string();
    looked_at.push_back(place.string());
  }
  return usage_error(
      fmt::format("no folder with platforms/ and scenarios/reference/ at {}; name one with --data or in KAKEHASHI_DATA",
                  fmt::join(looked_at, ", ")));
}

Result<std::string> find_data_folder() {
  const char* stated = std::getenv("KAKEHASHI_DATA");
  return find_data_folder(stated && *stated ? std::optional<std::string>(stated) : std::nullopt, this_program());
}

std::string or_shipped(const std::string& path, const std::string& name) {
  std::error_code none;
  const bool may_be = name.starts_with("platforms/") || name.starts_with("scenarios/") ||
                      name.starts_with("libraries/") || name.starts_with("nodes/") || name.starts_with("models/");
  if (!may_be || std::filesystem::exists(path, none))
    return path;
  const auto folder = find_data_folder();
  const auto shipped = folder ? std::filesystem::path(*folder) / name : std::filesystem::path();
  return std::filesystem::exists(shipped, none) ? shipped.string() : path;
}

} // namespace kakehashi
