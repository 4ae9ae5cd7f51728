// A formula of whole numbers in a file: "(rank + step) % size" → its value.
#pragma once

#include "base/error.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi {

// What formulas may name, and the values of these.
inline constexpr std::array<std::string_view, 5> variable_names{"rank", "size", "step", "per_node", "blocks"};
using Variables = std::array<std::int64_t, variable_names.size()>;
enum class Variable { rank, size, step, per_node, blocks };

// From the loosest binding on: ? :, ||, &&, | ^ &, comparisons, << >>, + -, * / %, and unary - and !; besides log2(x),
// rounded down, min(x, y) and max(x, y). Division rounds down, so a remainder has the divisor's sign. Comparisons are 1
// or 0.
class Expression {
public:
  struct Node {
    std::string_view operation; // "": a number; "variable"; else the operator, of which "-" may have one operand
    std::int64_t value = 0;
    std::array<std::size_t, 3> operands{}; // earlier nodes; 0: no operand
  };

  explicit Expression(std::int64_t number) : nodes_{{}, {"", number}} {}
  // Errors: the message alone, with the place in the text.
  static Result<Expression> parse(std::string_view text);

  // None: it divides by zero, takes the logarithm of no positive number, shifts by less than 0 or more than 62 bits, or
  // a number grows beyond 2^62.
  std::optional<std::int64_t> value(const Variables& variables) const { return value(nodes_.size() - 1, variables); }
  bool names(Variable variable) const;
  std::size_t length() const { return nodes_.size(); } // what a value costs

private:
  Expression() = default;
  std::optional<std::int64_t> value(std::size_t node, const Variables& variables) const;

  std::vector<Node> nodes_; // the first stands for no operand, the last for the whole
};

} // namespace kakehashi
