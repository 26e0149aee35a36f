#include "actio/backend/llvm/block_order.hpp"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <vector>

namespace actio::machine_code {

namespace {

enum class unit { arithmetic, shuffle, load, other };
constexpr unsigned units[] = {2, 1, 2, 2};  // that begin in one cycle
constexpr std::size_t fewest = 64;          // instructions of a block that is worth it

struct cost {
  unit where;
  unsigned latency;
};

cost cost_of(const llvm::Instruction& i) {
  switch (i.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul: return {unit::arithmetic, 4};
    case llvm::Instruction::FDiv: return {unit::arithmetic, 14};
    case llvm::Instruction::ShuffleVector:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ExtractElement: return {unit::shuffle, 3};
    case llvm::Instruction::Load: return {unit::load, 6};
    case llvm::Instruction::Store: return {unit::other, 5};  // until it can be loaded again
    case llvm::Instruction::Call: {
      const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      if (intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::fma) return {unit::arithmetic, 4};
      if (intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::sqrt) return {unit::arithmetic, 18};
      return {unit::arithmetic, 1};
    }
    case llvm::Instruction::GetElementPtr: return {unit::other, 0};
    default: return {unit::other, 1};
  }
}

// Where a load or a store reaches.
struct span_of_memory {
  const llvm::Value* base;
  std::int64_t first, last;
};

span_of_memory memory_of(llvm::Instruction& i, const llvm::DataLayout& layout) {
  const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&i);
  llvm::APInt offset(64, 0);
  const llvm::Value* const base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  const std::int64_t first = offset.getSExtValue();
  return {base, first, first + static_cast<std::int64_t>(layout.getTypeStoreSize(llvm::getLoadStoreType(&i)))};
}

// Cycles from the beginning of an instruction to the end of what needs it, in its block and in those after it.
using heights = llvm::DenseMap<const llvm::Instruction*, unsigned>;

class block_order {
 public:
  block_order(llvm::BasicBlock& block, heights& known) : block_(block), heights_(known) {
    for (llvm::Instruction& i : block) {
      if (llvm::isa<llvm::PHINode>(i) || i.isTerminator()) continue;
      place_[&i] = nodes_.size();
      nodes_.push_back({&i, cost_of(i)});
    }
  }

  bool is_worth_it() const {
    return nodes_.size() >= fewest && std::ranges::none_of(nodes_, [](const node& n) {
             return llvm::isa<llvm::CallInst>(n.instruction) && !llvm::isa<llvm::IntrinsicInst>(n.instruction);
           });
  }

  void prepare() {
    connect();
    find_heights();
  }

  void apply() {
    llvm::Instruction* const end = block_.getTerminator();
    for (const std::size_t k : issued()) nodes_[k].instruction->moveBefore(end);
  }

 private:
  struct node {
    llvm::Instruction* instruction;
    cost price;
    std::vector<std::size_t> users = {};
    std::size_t waits_for = 0;  // operands that are not yet issued
    unsigned height = 0;        // cycles from its beginning to the end of what needs it
    unsigned ready = 0;         // cycle
  };

  void depend(std::size_t user, std::size_t on) {
    nodes_[on].users.push_back(user);
    ++nodes_[user].waits_for;
  }

  void connect() {
    const llvm::DataLayout& layout = block_.getModule()->getDataLayout();
    std::vector<std::pair<std::size_t, span_of_memory>> loads, stores;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      llvm::Instruction& i = *nodes_[k].instruction;
      for (const llvm::Use& operand : i.operands()) {
        const auto known = place_.find(llvm::dyn_cast<llvm::Instruction>(operand.get()));
        if (known != place_.end()) depend(k, known->second);
      }
      const bool is_store = llvm::isa<llvm::StoreInst>(i);
      if (!is_store && !llvm::isa<llvm::LoadInst>(i)) continue;
      const span_of_memory here = memory_of(i, layout);
      const auto follow = [&](const auto& earlier) {
        for (const auto& [other, there] : earlier) {
          if (here.base == there.base && here.first < there.last && there.first < here.last) depend(k, other);
        }
      };
      follow(stores);
      if (is_store) follow(loads);
      (is_store ? stores : loads).emplace_back(k, here);
    }
  }

  void find_heights() {
    for (std::size_t k = nodes_.size(); k-- > 0;) {
      unsigned after = height_outside(*nodes_[k].instruction);
      for (const std::size_t user : nodes_[k].users) after = std::max(after, nodes_[user].height);
      nodes_[k].height = after + nodes_[k].price.latency;
      heights_[nodes_[k].instruction] = nodes_[k].height;
    }
    for (const llvm::PHINode& phi : block_.phis()) {
      unsigned after = height_outside(phi);
      for (const llvm::User* const user : phi.users()) {
        after = std::max(after, heights_.lookup(llvm::cast<llvm::Instruction>(user)));
      }
      heights_[&phi] = after;
    }
  }

  unsigned height_outside(const llvm::Instruction& i) const {
    unsigned highest = 0;
    for (const llvm::User* const user : i.users()) {
      const auto* const there = llvm::cast<llvm::Instruction>(user);
      if (there->getParent() != &block_) highest = std::max(highest, heights_.lookup(there));
    }
    return highest;
  }

  std::vector<std::size_t> issued() {
    std::vector<std::size_t> order, waiting;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (nodes_[k].waits_for == 0) waiting.push_back(k);
    }
    const auto is_lower = [&](std::size_t a, std::size_t b) {
      return nodes_[a].height != nodes_[b].height ? nodes_[a].height < nodes_[b].height : a > b;
    };
    for (unsigned cycle = 0; order.size() < nodes_.size(); ++cycle) {
      std::array<unsigned, std::size(units)> begun = {};
      for (;;) {
        std::size_t best = waiting.size();
        for (std::size_t w = 0; w < waiting.size(); ++w) {
          const node& n = nodes_[waiting[w]];
          const auto where = static_cast<std::size_t>(n.price.where);
          if (n.ready > cycle || begun[where] >= units[where]) continue;
          if (best == waiting.size() || is_lower(waiting[best], waiting[w])) best = w;
        }
        if (best == waiting.size()) break;
        const std::size_t k = waiting[best];
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(best));
        order.push_back(k);
        if (nodes_[k].price.latency > 0) ++begun[static_cast<std::size_t>(nodes_[k].price.where)];
        for (const std::size_t user : nodes_[k].users) {
          nodes_[user].ready = std::max(nodes_[user].ready, cycle + nodes_[k].price.latency);
          if (--nodes_[user].waits_for == 0) waiting.push_back(user);
        }
      }
    }
    return order;
  }

  llvm::BasicBlock& block_;
  heights& heights_;
  std::vector<node> nodes_;
  llvm::DenseMap<const llvm::Instruction*, std::size_t> place_;
};

}  // namespace

void order_by_need(llvm::Function& function) {
  heights known;
  for (llvm::BasicBlock* const block : llvm::post_order(&function)) {
    block_order order(*block, known);
    order.prepare();
    if (order.is_worth_it()) order.apply();
  }
}

}  // namespace actio::machine_code
