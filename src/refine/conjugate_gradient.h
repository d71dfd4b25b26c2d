// Preconditioned conjugate gradients for A w = b with several right-hand sides that share A, in
// single precision with sums in double (Shewchuk 1994, B3).
#pragma once

#include <cstddef>
#include <vector>

#include "refine/block_algebra.h"

namespace coppice {

// How far a right-hand side has come. The value of 1/2 w'A w - b'w falls by what is added up here.
struct CgProgress {
  std::size_t iterations = 0;
  double decrease = 0;                 // of all iterations
  std::vector<double> decreases = {};  // of each

  // Of those after so many; of an iteration that this divides, in proportion.
  double after(double iteration) const {
    auto n = static_cast<std::size_t>(iteration);
    double sum = n < decreases.size() ? (static_cast<double>(n + 1) - iteration) * decreases[n] : 0;
    for (++n; n < decreases.size(); ++n) sum += decreases[n];
    return sum;
  }
};

// A: multiply(direction, product) and precondition(residual, step) write their second argument.
// finished(output, progress) says when to stop; with joint() all outputs are one system, whose
// progress is that of output 0.
template <class System>
class ConjugateGradient {
 public:
  // residual = b - A w on entry. Goes on from w until all outputs are finished; spoils the
  // residual. Returns the iterations.
  static std::size_t run(System& system, OutputBlock& w, OutputBlock& residual,
                         std::size_t most_iterations, std::size_t workers) {
    return ConjugateGradient(system, w, residual, workers).iterate(most_iterations);
  }

 private:
  ConjugateGradient(System& system, OutputBlock& w, OutputBlock& residual, std::size_t workers)
      : system_(system),
        w_(w),
        residual_(residual),
        workers_(workers),
        step_(w.rows, w.outputs),
        direction_(w.rows, w.outputs),
        product_(w.rows, w.outputs),
        progress_(w.stride),
        done_(w.stride, false) {
    for (std::size_t k = w.outputs; k < w.stride; ++k) done_[k] = true;
  }

  std::size_t iterate(std::size_t most_iterations) {
    system_.precondition(residual_, step_);
    direction_.values = step_.values;
    std::vector<double> rho = joined(dot(residual_, step_, workers_));
    for (std::size_t n = 0; n < most_iterations; ++n) {
      system_.multiply(direction_, product_);
      const std::vector<double> curvature = joined(dot(direction_, product_, workers_));
      advance(rho, curvature);
      if (all_done()) return n + 1;
      system_.precondition(residual_, step_);
      const std::vector<double> next = joined(dot(residual_, step_, workers_));
      turn(next, rho);
      rho = next;
    }
    return most_iterations;
  }

  std::vector<double> joined(std::vector<double> sums) const {
    if (system_.joint()) sums.assign(sums.size(), total(sums));
    return sums;
  }

  void advance(const std::vector<double>& rho, const std::vector<double>& curvature) {
    std::vector<float> alpha(w_.stride);
    for (std::size_t k = 0; k < w_.stride; ++k) {
      if (done_[k]) continue;
      if (!(curvature[k] > 0) || !(rho[k] > 0)) {
        done_[k] = true;
        continue;
      }
      alpha[k] = static_cast<float>(rho[k] / curvature[k]);
      CgProgress& progress = progress_[system_.joint() ? 0 : k];
      if (k == 0 || !system_.joint()) {
        ++progress.iterations;
        progress.decreases.push_back(rho[k] * rho[k] / curvature[k] / 2);
        progress.decrease += progress.decreases.back();
      }
      done_[k] = system_.finished(k, progress);
    }
    for_each_chunk(w_.rows, workers_, [&](std::size_t, std::size_t first, std::size_t last) {
      float *w = w_.values.data(), *residual = residual_.values.data();
      const float *direction = direction_.values.data(), *product = product_.values.data();
      for_each_number(alpha, first, last, [=](std::size_t n, float factor) {
        w[n] += factor * direction[n];
        residual[n] -= factor * product[n];
      });
    });
  }

  void turn(const std::vector<double>& next, const std::vector<double>& rho) {
    std::vector<float> beta(w_.stride);
    for (std::size_t k = 0; k < w_.stride; ++k)
      beta[k] = done_[k] || !(rho[k] > 0) ? 0 : static_cast<float>(next[k] / rho[k]);
    for_each_chunk(w_.rows, workers_, [&](std::size_t, std::size_t first, std::size_t last) {
      float* direction = direction_.values.data();
      const float* step = step_.values.data();
      for_each_number(beta, first, last, [=](std::size_t n, float factor) {
        direction[n] = step[n] + factor * direction[n];
      });
    });
  }

  bool all_done() const { return std::find(done_.begin(), done_.end(), false) == done_.end(); }

  System& system_;
  OutputBlock &w_, &residual_;
  std::size_t workers_;
  OutputBlock step_, direction_, product_;
  std::vector<CgProgress> progress_;
  std::vector<bool> done_;
};

}  // namespace coppice
