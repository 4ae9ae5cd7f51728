// fill-schema FILE: reads the schema of platforms or of scenarios and writes it with what follows from the program's
// tables.
#include "filled_schema.hpp"

#include <fstream>
#include <iostream>

int main(int count, char** words) {
  std::ifstream file(count == 2 ? words[1] : "");
  if (!file) {
    std::cerr << "usage: fill-schema FILE\n";
    return 2;
  }
  std::cout << kakehashi::with_tables(nlohmann::ordered_json::parse(file)).dump(2) << '\n';
}
