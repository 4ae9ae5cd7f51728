// Text that is written → a file that has all of it, or keeps its old content.
#pragma once

#include "base/error.hpp"

#include <fstream>
#include <functional>

namespace kakehashi {

// A file that takes its place only when it is complete: it is written beside that place and renamed, so that no reader
// and no failure sees a part of it. An existing file keeps its permissions; a symbolic link keeps pointing to the file.
class WholeFile {
public:
  // Errors: the file cannot be written there.
  static Result<WholeFile> open(const std::string& file);
  WholeFile(WholeFile&& other) noexcept;
  ~WholeFile(); // without commit() the place is unchanged

  std::ostream& stream() { return stream_; }
  // Returns an error if the file cannot be written.
  Errors commit();

private:
  WholeFile(std::string file, std::string target, std::string beside);

  std::string file_; // as the user named it
  std::string target_;
  std::string beside_; // empty once the file is in its place
  unsigned mode_ = 0;  // permissions of the complete file; until then only the owner may read it
  std::ofstream stream_;
};

// For files that are written at once, and files that are written later. Return an error if it cannot be written.
Errors write_whole(const std::string& file, const std::function<void(std::ostream&)>& write);
Errors check_writable(const std::string& file);

// Replaces the content of an existing file. Returns an error if it cannot be written.
Errors replace_file(const std::string& file, const std::string& text);

} // namespace kakehashi
