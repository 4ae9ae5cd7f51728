// Bine (binomial negabinary) trees and butterflies over a power of two of numbers: De Sensi, Pasqualoni, Piarulli,
// Bonato, Ba, Turisini, Domke and Hoefler, "Bine Trees: Enhancing Collective Operations by Optimizing Communication
// Locality", SC 2025, and their reference code (libbine of HLC-Lab's pico).
//
// In step i an even number r meets r + d and an odd one r - d, modulo their count, where d = (1 - (-2)^(i+1)) / 3 is 1,
// -1, 3, -5, 11 and so on: about two thirds of the distances of a binomial tree. The reference code refuses most other
// numbers of ranks; they are folded here, as for recursive doubling.
#pragma once

#include "workload/collective/number_blocks.hpp"
#include "workload/collective/tree.hpp"

namespace kakehashi {

class Bine {
public:
  explicit Bine(int size) : size_(size), steps_(std::countr_zero(static_cast<unsigned>(size))) {
    assert(std::has_single_bit(static_cast<unsigned>(size)));
  }

  int steps() const { return steps_; }
  int partner(int number, int step) const;

  // An order of the numbers in which those that a number can reach by the steps behind any one follow each other. In it
  // partners of step i agree in the i highest bits, and differ in the next.
  int label(int number) const;
  int number_of(int label) const;
  // The labels of a number and of all that it can reach by the steps behind that one.
  Interval reach(int number, int step) const;
  // A number and all that reach it by the steps before that one.
  std::vector<int> reached_before(int number, int step) const;
  // From the number 0 on by steps in ascending order: the step in which a number is reached; of 0: -1.
  int step_of(int number) const;

  // From the number 0 on by steps in descending order: the step in which a number is reached, of 0 the number of steps;
  // and the numbers below it with itself, which follow each other, with 0 after the last.
  int far_step_of(int number) const;
  Interval below(int number) const;

private:
  int wrapped(int value) const { return value & (size_ - 1); }
  int size_;
  int steps_;
};

// From far to near, and from near to far. Idle ranks are leaves below their partners.
Tree bine_tree(int rank, int size);
Tree bine_tree_nearest_first(int rank, int size);

// Reduce-scatter over the butterfly, near partners first: each number ends with the sum of the block of its label.
// Exchanges pass in segments of that size; 0 B: whole.
Program bine_halve(Communicator comm, Folding folding, NumberBlocks blocks, Bytes segment);
// Allgather the same way back: each number begins with the block of its label.
Program bine_join(Communicator comm, Folding folding, NumberBlocks blocks);

} // namespace kakehashi
