// Values of parameters that several evaluations share: changed once, they are seen by all of these at their next use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "actio/backend/compiled_function.hpp"
#include "actio/base/error.hpp"

namespace actio {

// A handle; copies share the values. Whoever changes them must be alone with them: workspaces have some of their own.
template <class S>
class shared_parameters {
 public:
  shared_parameters(std::vector<S> values = {}) : cell_(std::make_shared<cell>(std::move(values))) {}
  shared_parameters(std::span<const S> values) : shared_parameters(std::vector<S>(values.begin(), values.end())) {}

  const std::vector<S>& values() const { return cell_->values; }
  // How often they have changed.
  std::uint64_t revision() const { return cell_->revision; }
  void assign(std::span<const S> values) {
    ACTIO_ASSERT(values.size() == cell_->values.size());
    std::copy(values.begin(), values.end(), cell_->values.begin());
    ++cell_->revision;
  }
  // The same values, shared with nobody.
  shared_parameters copy() const { return shared_parameters(values()); }

  operator std::span<const S>() const { return values(); }
  auto begin() const { return values().begin(); }
  auto end() const { return values().end(); }
  std::size_t size() const { return values().size(); }
  const S& operator[](std::size_t k) const { return values()[k]; }

 private:
  struct cell {
    explicit cell(std::vector<S> v) : values(std::move(v)) {}
    std::vector<S> values;
    std::uint64_t revision = 0;
  };
  std::shared_ptr<cell> cell_;
};

// An evaluation with the parameters that it belongs to.
template <class S>
class bound_evaluation {
 public:
  bound_evaluation(const compiled_function<S>& function, std::size_t points, shared_parameters<S> parameters)
      : evaluation_(function.evaluate_at(points)), parameters_(std::move(parameters)) {
    bind();
  }

  void operator()(const S* in, S* out) {
    if (revision_ != parameters_.revision()) bind();
    (*evaluation_)(in, out);
  }
  std::size_t stride() const { return evaluation_->stride(); }

 private:
  void bind() {
    evaluation_->set_parameters(parameters_.values());
    revision_ = parameters_.revision();
  }

  std::unique_ptr<evaluation<S>> evaluation_;
  shared_parameters<S> parameters_;
  std::uint64_t revision_ = 0;
};

}  // namespace actio
