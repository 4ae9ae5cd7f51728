// fits: reads documents, one a line behind "platform ", "scenario " or "gpu-library ", and writes for each whether it
// fits the schema.
#include "input/json/schema.hpp"
#include "input/library/gpu_library_reader.hpp"

#include <iostream>

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto space = line.find(' ');
    const auto kind = line.substr(0, space);
    const auto schema = kind == "platform"   ? kakehashi::platform_schema_text
                        : kind == "scenario" ? kakehashi::scenario_schema_text
                                             : kakehashi::gpu_library_schema_text;
    const auto document = kakehashi::parse_json(line.substr(space + 1), "document");
    if (!document) {
      std::cerr << to_text(document.errors().front()) << '\n';
      return 2;
    }
    std::cout << (kakehashi::check_schema(*document, schema).empty() ? "yes\n" : "no\n");
  }
}
