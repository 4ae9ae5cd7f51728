// Amounts between any two of some places → a square of coloured fields.
#pragma once

#include "report/draw/drawing.hpp"

namespace kakehashi {

struct MatrixField {
  std::size_t row = 0;
  std::size_t column = 0;
  double value = 0; // above 0; missing fields are empty
  std::string says;
};
struct MatrixChart {
  std::string says;
  std::vector<std::string> names; // of rows and columns
  std::string row_name;           // "sends"
  std::string column_name;        // "receives"
  std::vector<MatrixField> fields;
};

// There are five colours, each for a fifth of the logarithmic range between the least and the greatest value.
Drawing draw(const MatrixChart& chart, double width);

} // namespace kakehashi
