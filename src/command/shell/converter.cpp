#include "command/shell/programs.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace kakehashi {
namespace {

constexpr const char* program = "rsvg-convert";

Error failure(const std::string& why) {
  return run_error(std::string(program) + ": " + why);
}

// A temporary folder for the picture, which is removed with this object.
class Scratch {
public:
  Scratch() {
    auto name = (std::filesystem::temp_directory_path() / "kakehashi-XXXXXX").string();
    if (mkdtemp(name.data()))
      folder_ = name;
  }
  ~Scratch() {
    std::error_code status;
    if (!folder_.empty())
      std::filesystem::remove_all(folder_, status);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  bool is_there() const { return !folder_.empty(); }
  std::string file(const char* name) const { return (folder_ / name).string(); }

private:
  std::filesystem::path folder_;
};

} // namespace

bool has_converter() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0)
      return true;
  return false;
}

Result<std::string> converted(const std::string& svg, const std::string& form) {
  const Scratch scratch;
  const auto from = scratch.file("drawing.svg");
  const auto to = scratch.file("drawing");
  std::ofstream written(from, std::ios::binary);
  written << svg;
  written.close();
  if (!scratch.is_there() || !written)
    return failure("the drawing cannot be written to a temporary file");
  // Twice as many pixels, for screens that have them.
  const auto ended =
      output_of_program({program, "--format", form, "--zoom", form == "png" ? "2" : "1", "--output", to, from});
  if (!ended)
    return ended.errors();
  if (ended->exit_code != 0)
    return failure("failed\n" + ended->text);
  std::ifstream made(to, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(made), {}};
  if (bytes.empty())
    return failure("made nothing");
  return bytes;
}

} // namespace kakehashi
