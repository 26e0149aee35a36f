// The hash table of all nodes and their reference counts.
#include "actio/expr/node_pool.hpp"

#include <functional>

namespace actio {

namespace {

// The finaliser of SplitMix64: pointers differ in few bits, buckets need all of them.
std::size_t mixed(std::size_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

std::size_t mixed(std::size_t x, std::size_t y) { return mixed(x + 0x9e3779b97f4a7c15ULL + 31 * y); }

bool commutes(operation op) { return op == operation::add || op == operation::multiply; }

}  // namespace

expr::pool& expr::pool::instance() {
  static pool& the_pool = *new pool;
  return the_pool;
}

template <class Matches, class Create>
expr expr::pool::found_or_created(std::size_t hash, Matches matches, Create create) {
  const std::lock_guard lock(mutex_);
  for (node* n = buckets_[hash & (buckets_.size() - 1)]; n != nullptr; n = n->next_) {
    if (n->hash_ == hash && matches(*n)) {
      retain(n);
      return expr(n);
    }
  }
  if (size_ >= buckets_.size()) grow();
  node* created = create();
  node*& bucket = buckets_[hash & (buckets_.size() - 1)];
  created->next_ = bucket;
  bucket = created;
  ++size_;
  return expr(created);
}

expr expr::pool::number(const rational& value) {
  const std::size_t hash = mixed(static_cast<std::size_t>(operation::number), hash_value(value));
  return found_or_created(
      hash,
      [&](const node& n) { return n.op_ == operation::number && static_cast<const number_node&>(n).value_ == value; },
      [&] { return new number_node(hash, value); });
}

expr expr::pool::leaf(operation op, std::string_view name) {
  const std::size_t hash = mixed(static_cast<std::size_t>(op), std::hash<std::string_view>()(name));
  return found_or_created(
      hash, [&](const node& n) { return n.op_ == op && static_cast<const symbol_node&>(n).name_ == name; },
      [&] { return new symbol_node(op, hash, name); });
}

// Tables of equal content are one object, so that their addresses tell them apart.
expr expr::pool::table(const signal_part& part) {
  const auto address = reinterpret_cast<std::size_t>(part.samples.get());
  const std::size_t hash = mixed(mixed(static_cast<std::size_t>(operation::table), address), part.order);
  return found_or_created(
      hash,
      [&](const node& n) {
        if (n.op_ != operation::table) return false;
        const signal_part& other = static_cast<const table_node&>(n).part_;
        return other.samples == part.samples && other.order == part.order;
      },
      [&] { return new table_node(hash, part); });
}

expr expr::pool::operation_node(operation op, const expr& a, const expr& b) {
  const auto address = [](const expr& e) { return mixed(reinterpret_cast<std::size_t>(e.node_)); };
  const auto code = static_cast<std::size_t>(op);
  if (operand_count(op) == 1) {
    const std::size_t hash = mixed(code, address(a));
    return found_or_created(
        hash, [&](const node& n) { return n.op_ == op && n.operands_[0] == a; }, [&] { return new node(op, hash, a); });
  }
  const std::size_t hash =
      commutes(op) ? mixed(code, address(a) + address(b)) : mixed(mixed(code, address(a)), address(b));
  return found_or_created(
      hash,
      [&](const node& n) {
        if (n.op_ != op) return false;
        if (n.operands_[0] == a && n.operands_[1] == b) return true;
        return commutes(op) && n.operands_[0] == b && n.operands_[1] == a;
      },
      [&] { return new node(op, hash, a, b); });
}

void expr::pool::grow() {
  std::vector<node*> larger(2 * buckets_.size(), nullptr);
  for (node* n : buckets_) {
    while (n != nullptr) {
      node* const next = n->next_;
      node*& bucket = larger[n->hash_ & (larger.size() - 1)];
      n->next_ = bucket;
      bucket = n;
      n = next;
    }
  }
  buckets_.swap(larger);
}

void expr::pool::unlink(node* n) noexcept {
  node** link = &buckets_[n->hash_ & (buckets_.size() - 1)];
  while (*link != n) link = &(*link)->next_;
  *link = n->next_;
  --size_;
}

void expr::pool::release(node* n) noexcept {
  std::size_t count = n->references_.load(std::memory_order_relaxed);
  while (count > 1) {
    if (n->references_.compare_exchange_weak(count, count - 1, std::memory_order_release, std::memory_order_relaxed)) {
      return;
    }
  }
  instance().release_last(n);
}

void expr::pool::release_last(node* n) noexcept {
  node* dead = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto drop = [this](node* dropped, node*& list) {
      if (dropped->references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
      unlink(dropped);
      dropped->next_ = list;
      list = dropped;
    };
    // A list instead of recursion: a chain of operands may be longer than the stack.
    node* pending = nullptr;
    drop(n, pending);
    while (pending != nullptr) {
      node* const dying = pending;
      pending = dying->next_;
      dying->next_ = dead;
      dead = dying;
      for (expr& operand : dying->operands_) {
        if (operand.node_ != nullptr) drop(std::exchange(operand.node_, nullptr), pending);
      }
    }
  }
  while (dead != nullptr) {
    node* const next = dead->next_;
    switch (dead->op_) {
      case operation::number: delete static_cast<number_node*>(dead); break;
      case operation::pi:
      case operation::symbol: delete static_cast<symbol_node*>(dead); break;
      case operation::table: delete static_cast<table_node*>(dead); break;
      default: delete dead;
    }
    dead = next;
  }
}

std::size_t expr::pool::size() {
  const std::lock_guard lock(mutex_);
  return size_;
}

std::size_t expr_pool_size() { return expr::pool::instance().size(); }

}  // namespace actio
