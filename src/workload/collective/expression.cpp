#include "workload/collective/expression.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kakehashi {
namespace {

using Node = Expression::Node;

constexpr std::size_t longest_text = 500; // so that recursion is shallow
constexpr std::int64_t largest = std::int64_t{1} << 62;

struct Operator {
  std::string_view text;
  int level; // higher ones bind tighter
};
// Longer texts before their beginnings.
constexpr Operator operators[] = {{"||", 1}, {"&&", 2}, {"==", 4}, {"!=", 4}, {"<=", 4}, {">=", 4},
                                  {"<<", 5}, {">>", 5}, {"<", 4},  {">", 4},  {"|", 3},  {"^", 3},
                                  {"&", 3},  {"+", 6},  {"-", 6},  {"*", 7},  {"/", 7},  {"%", 7}};
struct Function {
  std::string_view name;
  std::size_t operands;
};
constexpr Function functions[] = {{"log2", 1}, {"min", 2}, {"max", 2}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '_';
}

class ExpressionText {
public:
  explicit ExpressionText(std::string_view text) : text_(text) {}

  // None: there is a fault.
  std::optional<std::vector<Node>> parse() {
    if (text_.size() > longest_text)
      refuse(fmt::format("at most {} characters", longest_text));
    else
      choice();
    if (fault_.empty() && next() != 0)
      refuse("an operator or the end");
    return fault_.empty() ? std::optional(std::move(nodes_)) : std::nullopt;
  }
  const std::string& fault() const { return fault_; }

private:
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view word) {
    next();
    if (!text_.substr(at_).starts_with(word))
      return false;
    at_ += word.size();
    return true;
  }
  std::size_t refuse(std::string_view expected) {
    const auto before = text_.substr(0, at_).substr(at_ > 20 ? at_ - 20 : 0);
    const auto found = at_ < text_.size() ? fmt::format("\"{}\"", text_.substr(at_, 20)) : "an end";
    if (fault_.empty())
      fault_ = mismatch(before.empty() ? found : fmt::format("{} after \"{}\"", found, before), expected);
    at_ = text_.size();
    return 0;
  }
  std::size_t add(Node node) {
    nodes_.push_back(node);
    return nodes_.size() - 1;
  }

  std::size_t choice() {
    const auto condition = binary(1);
    if (!take("?"))
      return condition;
    const auto one = choice();
    if (!take(":"))
      return refuse("\":\"");
    const auto other = choice();
    return add({"?", 0, {condition, one, other}});
  }

  std::size_t binary(int level) {
    auto left = unary();
    for (;;) {
      next();
      const auto rest = text_.substr(at_);
      const auto* found =
          std::ranges::find_if(operators, [&](const auto& each) { return rest.starts_with(each.text); });
      if (found == std::end(operators) || found->level < level)
        return left;
      at_ += found->text.size();
      const auto right = binary(found->level + 1);
      left = add({found->text, 0, {left, right}});
    }
  }

  std::size_t unary() {
    if (take("-"))
      return add({"-", 0, {unary()}});
    if (take("!"))
      return add({"!", 0, {unary()}});
    if (take("(")) {
      const auto inside = choice();
      return take(")") ? inside : refuse("\")\"");
    }
    if (is_digit(next()))
      return number();
    return is_letter(next()) ? word() : refuse("a number, a variable or \"(\"");
  }

  std::size_t number() {
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      value = 10 * value + (text_[at_] - '0');
      if (value > largest / 16)
        return refuse("a number below 2^58");
    }
    return add({"", value});
  }

  std::size_t word() {
    const auto begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
      ++at_;
    const auto name = text_.substr(begin, at_ - begin);
    if (const auto variable = std::ranges::find(variable_names, name); variable != variable_names.end())
      return add({"variable", variable - variable_names.begin()});
    const auto* function = std::ranges::find(functions, name, &Function::name);
    if (function == std::end(functions)) {
      at_ = begin;
      return refuse(fmt::format("{}, or log2(x), min(x, y), max(x, y)", fmt::join(variable_names, ", ")));
    }
    Node node{function->name};
    for (std::size_t i = 0; i < function->operands; ++i) {
      if (!take(i == 0 ? "(" : ","))
        return refuse(i == 0 ? "\"(\"" : "\",\"");
      node.operands.at(i) = choice();
    }
    return take(")") ? add(node) : refuse("\")\"");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Node> nodes_{{}};
  std::string fault_;
};

std::optional<std::int64_t> quotient(std::int64_t a, std::int64_t b, bool is_rest) {
  if (b == 0)
    return std::nullopt;
  const auto rest = ((a % b) + b) % b;
  return is_rest ? rest : (a - rest) / b;
}

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  return __builtin_mul_overflow(a, b, &value) ? std::nullopt : std::optional(value);
}

std::optional<std::int64_t> combine(std::string_view operation, std::int64_t a, std::int64_t b) {
  const bool is_shift = operation == "<<" || operation == ">>";
  if (is_shift && (b < 0 || b > 62))
    return std::nullopt;
  switch (operation[0]) {
  case '+': return a + b;
  case '-': return a - b;
  case '*': return product(a, b);
  case '/': return quotient(a, b, false);
  case '%': return quotient(a, b, true);
  case '^': return a ^ b;
  case '&': return a & b;
  case '|': return a | b;
  case '=': return a == b;
  case '!': return a != b;
  case '<': return is_shift ? product(a, std::int64_t{1} << b) : operation == "<=" ? a <= b : a < b;
  case '>': return is_shift ? a >> b : operation == ">=" ? a >= b : a > b;
  default: return operation == "min" ? std::min(a, b) : std::max(a, b);
  }
}

} // namespace

Result<Expression> Expression::parse(std::string_view text) {
  ExpressionText parsed(text);
  auto nodes = parsed.parse();
  if (!nodes)
    return usage_error(parsed.fault());
  Expression expression;
  expression.nodes_ = std::move(*nodes);
  return expression;
}

bool Expression::names(Variable variable) const {
  return std::ranges::any_of(nodes_, [&](const Node& node) {
    return node.operation == "variable" && node.value == static_cast<std::int64_t>(variable);
  });
}

std::optional<std::int64_t> Expression::value(std::size_t at, const Variables& variables) const {
  const auto& node = nodes_[at];
  if (node.operation.empty())
    return node.value;
  if (node.operation == "variable")
    return variables[static_cast<std::size_t>(node.value)];
  const auto a = value(node.operands[0], variables);
  if (!a)
    return std::nullopt;
  if (node.operation == "?")
    return value(node.operands[*a != 0 ? 1 : 2], variables);
  if ((node.operation == "||" && *a != 0) || (node.operation == "&&" && *a == 0))
    return *a != 0;
  if (node.operation == "log2")
    return *a > 0 ? std::optional<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(*a)) - 1) : std::nullopt;
  if (node.operands[1] == 0)
    return node.operation == "!" ? std::int64_t{*a == 0} : -*a;
  const auto b = value(node.operands[1], variables);
  if (!b)
    return std::nullopt;
  if (node.operation == "||" || node.operation == "&&")
    return *b != 0;
  const auto result = combine(node.operation, *a, *b);
  return result && *result > -largest && *result < largest ? result : std::nullopt;
}

} // namespace kakehashi
