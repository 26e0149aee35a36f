// The lattice of Fermi, Pasta, Ulam and Tsingou by hand: what a loop over its masses costs at least.
#pragma once

#include <cstddef>
#include <vector>

namespace actio::bench {

// Masses in a row between walls: kicks and drifts of length h, without sums that remember what rounding takes.
class hand_written_lattice {
 public:
  hand_written_lattice(std::vector<double> position, double beta);
  void advance(double h);
  const std::vector<double>& position() const { return q_; }

 private:
  void find_forces();
  double beta_;
  std::vector<double> q_, p_, force_, tension_;
};

// The same by Gauss collocation of order eight with steps of length h.
class hand_written_gauss_lattice {
 public:
  hand_written_gauss_lattice(std::vector<double> position, double beta, double h);
  int advance();  // how many iterations it took
  const std::vector<double>& position() const { return q_; }

 private:
  void find_accelerations(const std::vector<double>& at, std::vector<double>& into);
  double move_stages();
  double beta_, h_;
  std::vector<double> q_, v_, tension_;
  std::vector<double> node_, stage_, weight_, end_, continued_;
  std::vector<std::vector<double>> positions_, accelerations_, next_;
};

// The force of n bodies of mass m on one another, softened by eps; one evaluation.
void hand_written_attraction(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z,
                             double m, double eps, std::vector<double>& force);

}  // namespace actio::bench
