// The nodes of all expressions of the process, each kept once. Internal to expr/.
//
// The pool refers to its nodes weakly: a node leaves when its last reference goes. A count falls from 1 to 0 only
// under the pool's lock, and a node is found only under that lock, so nobody can find a node that is about to die.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "actio/expr/expr.hpp"

namespace actio {

struct expr::node {
  node(operation op, std::size_t hash) : op_(op), hash_(hash) {}
  node(operation op, std::size_t hash, const expr& a, const expr& b) : op_(op), hash_(hash), operands_{a, b} {}
  node(operation op, std::size_t hash, const expr& a) : op_(op), hash_(hash), operands_{a, expr(nullptr)} {}

  std::atomic<std::size_t> references_{1};
  const operation op_;
  const std::size_t hash_;
  node* next_ = nullptr;  // in the bucket; among the dead, in the list of nodes to delete
  expr operands_[2] = {expr(nullptr), expr(nullptr)};
};

class expr::pool {
 public:
  struct number_node;
  struct symbol_node;
  struct table_node;

  // Never destroyed, because expressions in static storage may outlive anything.
  static pool& instance();

  expr number(const rational& value);
  expr leaf(operation op, std::string_view name);  // pi or a symbol
  expr table(const signal_part& part);
  // The node itself, without simplification; `b` is ignored by operations with one operand.
  expr operation_node(operation op, const expr& a, const expr& b);

  static void retain(node* n) noexcept { n->references_.fetch_add(1, std::memory_order_relaxed); }
  static void release(node* n) noexcept;

  std::size_t size();

 private:
  pool() : buckets_(1024, nullptr) {}
  template <class Matches, class Create>
  expr found_or_created(std::size_t hash, Matches matches, Create create);
  void grow();
  void unlink(node* n) noexcept;
  void release_last(node* n) noexcept;

  std::mutex mutex_;
  std::vector<node*> buckets_;  // their number is a power of two
  std::size_t size_ = 0;
};

struct expr::pool::number_node : node {
  number_node(std::size_t hash, const rational& value) : node(operation::number, hash), value_(value) {}
  const rational value_;
};

struct expr::pool::symbol_node : node {
  symbol_node(operation op, std::size_t hash, std::string_view name) : node(op, hash), name_(name) {}
  const std::string name_;
};

struct expr::pool::table_node : node {
  table_node(std::size_t hash, const signal_part& part) : node(operation::table, hash), part_(part) {}
  const signal_part part_;
};

}  // namespace actio
