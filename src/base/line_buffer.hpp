// A stream buffer that passes each line through a function before it writes it.
#pragma once

#include <functional>
#include <ostream>
#include <streambuf>
#include <string>

namespace kakehashi {

class LineBuffer : public std::streambuf {
public:
  using Shown = std::function<std::string(const std::string& line)>;
  LineBuffer(std::ostream& out, Shown shown) : out_(out), shown_(std::move(shown)) {}
  ~LineBuffer() override { out_ << shown_(line_); }

protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof()))
      return traits_type::not_eof(character);
    if (traits_type::to_char_type(character) != '\n') {
      line_ += traits_type::to_char_type(character);
    } else {
      out_ << shown_(line_) << '\n';
      line_.clear();
    }
    return out_ ? character : traits_type::eof();
  }
  int sync() override {
    out_.flush();
    return out_ ? 0 : -1;
  }

private:
  std::ostream& out_;
  Shown shown_;
  std::string line_;
};

} // namespace kakehashi
