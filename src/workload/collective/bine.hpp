// Bine (binomial negabinary) trees and butterflies over a power of two of numbers: De Sensi, Pasqualoni, Piarulli,
// Bonato, Ba, Turisini, Domke and Hoefler, "Bine Trees: Enhancing Collective Operations by Optimizing Communication
// Locality", SC 2025, and their reference code (libbine of HLC-Lab's pico).
//
// In step i an even number r meets r + d and an odd one r - d, modulo their count, where d = (1 - (-2)^(i+1)) / 3 is 1,
// -1, 3, -5, 11 and so on: about two thirds of the distances in a binomial tree. The reference code refuses most other
// numbers of ranks; here they are folded, as for recursive doubling.
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

  // Labels order the numbers so that those that a number reaches by the steps after any step are adjacent. Partners of
  // step i have labels that agree in the i highest bits and differ in the next one.
  int label(int number) const;
  int number_of(int label) const;
  // The labels of a number and of all that it reaches by the steps after `step`.
  Interval reach(int number, int step) const;
  // A number and all that reach it by the steps before `step`.
  std::vector<int> reached_before(int number, int step) const;
  // If steps are taken in ascending order from the number 0: the step that reaches a number; -1 for 0.
  int step_of(int number) const;

  // If steps are taken in descending order from the number 0: the step that reaches a number (for 0, the number of
  // steps), and the number with those below it, which are adjacent; 0 follows the last number.
  int far_step_of(int number) const;
  Interval below(int number) const;

private:
  int wrapped(int value) const { return value & (size_ - 1); }
  int size_;
  int steps_;
};

// Trees from far to near and from near to far. Idle ranks are leaves below their partners.
Tree bine_tree(int rank, int size);
Tree bine_tree_nearest_first(int rank, int size);

// A reduce-scatter over the butterfly, near partners first: each number ends with the sum of the block of its label.
// Exchanges are cut in segments of this size; 0 B: they are whole.
Program bine_halve(Communicator comm, Folding folding, NumberBlocks blocks, Bytes segment);
// An allgather the same way back: each number begins with the block of its label.
Program bine_join(Communicator comm, Folding folding, NumberBlocks blocks);

} // namespace kakehashi
