// Lines of a table → the same in colour, for a terminal.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace kakehashi {

// Comments are dim; an error at the end of a line is green up to 10 %, yellow up to 25 %, else red; verdicts likewise.
std::string coloured(const std::string& line);

// Passes on what is written to it, line by line, in colour.
class ColourBuffer : public std::streambuf {
public:
  explicit ColourBuffer(std::ostream& out) : out_(out) {}
  ~ColourBuffer() override;

protected:
  int_type overflow(int_type character) override;
  int sync() override;

private:
  std::ostream& out_;
  std::string line_;
};

} // namespace kakehashi
