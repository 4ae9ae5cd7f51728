#include "input/platform/mpich_base.hpp"

#include "base/file.hpp"

namespace kakehashi {
namespace {

// The library has its selections as strings, each from its first operation to a NUL.
std::optional<std::string> selection_in(const std::string& library, std::string_view entry) {
  const std::string_view begin = "{\"collective=";
  for (auto at = library.find(begin); at != std::string::npos; at = library.find(begin, at + 1)) {
    auto text = library.substr(at, library.find('\0', at) - at);
    if (text.find(entry) != std::string::npos)
      return text;
  }
  return std::nullopt;
}

std::string_view release_of(const std::string& text) {
  if (text.find("MPIR_Barrier_intra_k_dissemination") != std::string::npos)
    return "4.1";
  return text.find("MPIR_Barrier_intra_dissemination") != std::string::npos ? "4.0" : "";
}

Result<MpichBase> read_library(const std::string& text, const std::string& file) {
  auto mpir = selection_in(text, "\"algorithm=MPIR_");
  if (!mpir)
    return input_error(file, "", mismatch("a library without a selection of algorithms", "libmpich.so of MPICH 4"));
  MpichBase base{{file, std::move(*mpir)}, {}, release_of(text)};
  if (auto compositions = selection_in(text, "\"composition="))
    base.compositions = MpichSelection{file, std::move(*compositions)};
  return base;
}

} // namespace

Result<MpichBase> read_mpich_base(const std::vector<std::string>& files) {
  MpichBase base;
  for (const auto& file : files) {
    auto text = read_text(file, std::size_t{1} << 30);
    if (!text)
      return text.errors();
    if (text->starts_with("\x7f"
                          "ELF"))
      return read_library(*text, file);
    if (&file == &files.front()) {
      base.release = release_of(*text);
      base.mpir = {file, std::move(*text)};
    } else
      base.compositions = MpichSelection{file, std::move(*text)};
  }
  return base;
}

} // namespace kakehashi
