// A place for the files of a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace kakehashi {

// A folder of this process's own in the temporary one (TMPDIR), which goes when the process ends.
inline const std::filesystem::path& scratch_folder() {
  struct Folder {
    std::string path = std::filesystem::temp_directory_path() / "kakehashi-XXXXXX";
    std::filesystem::path made = mkdtemp(path.data());
    pid_t owner = getpid(); // children of the process inherit the object, but not the folder
    ~Folder() {
      if (owner == getpid())
        std::filesystem::remove_all(made);
    }
  };
  static const Folder folder;
  return folder.made;
}

inline std::string scratch_file(const std::string& name) {
  return scratch_folder() / name;
}

} // namespace kakehashi
