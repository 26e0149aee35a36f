#include "actio/io/figure.hpp"

#include <map>
#include <set>

namespace actio {

namespace {

using look_of_name = std::map<std::string, std::size_t>;

std::size_t lowest_without(const std::set<std::size_t>& taken) {
  std::size_t look = 0;
  while (taken.contains(look)) ++look;
  return look;
}

// Known names choose before new ones.
void number_looks(panel& p, look_of_name& known) {
  look_of_name here;
  std::set<std::size_t> taken;
  const auto give = [&](const std::string& name, std::size_t look) {
    here[name] = look;
    taken.insert(look);
  };
  for (const curve& c : p.curves) {
    const auto before = known.find(c.name);
    if (before != known.end() && !here.contains(c.name) && !taken.contains(before->second)) {
      give(c.name, before->second);
    }
  }
  for (curve& c : p.curves) {
    if (c.name.empty()) continue;
    if (!here.contains(c.name)) give(c.name, lowest_without(taken));
    c.look = here[c.name];
    known.try_emplace(c.name, *c.look);
  }
}

}  // namespace

void number_looks(std::vector<figure>& figures) {
  look_of_name known;
  for (figure& f : figures) {
    for (panel& p : f.panels) number_looks(p, known);
  }
}

}  // namespace actio
