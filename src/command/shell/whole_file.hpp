// Text as it is written → a file that has all of it, or what it had before.
#pragma once

#include "base/error.hpp"

#include <fstream>
#include <functional>

namespace kakehashi {

// A file that comes into its place only once it is whole: it is written beside it and renamed, so that no reader and no
// failure sees half of it. An old file's permissions stay; a symbolic link goes on pointing to the file.
class WholeFile {
public:
  // Errors: it cannot be written there.
  static Result<WholeFile> open(const std::string& file);
  WholeFile(WholeFile&& other) noexcept;
  ~WholeFile(); // without commit nothing has happened

  std::ostream& stream() { return stream_; }
  // Nothing, or why it cannot be written.
  Errors commit();

private:
  WholeFile(std::string file, std::string target, std::string beside);

  std::string file_; // as the user named it
  std::string target_;
  std::string beside_; // empty once it is in its place
  unsigned mode_ = 0;  // that it gets once it is whole; until then nobody else may read it
  std::ofstream stream_;
};

// For those that are written at once, and those that are written later. Nothing, or why it cannot be written.
Errors write_whole(const std::string& file, const std::function<void(std::ostream&)>& write);
Errors check_writable(const std::string& file);

// Writes a file anew that is there already. Nothing, or why it cannot be written.
Errors replace_file(const std::string& file, const std::string& text);

} // namespace kakehashi
