#include "actio/mechanics/event_table.hpp"

#include <algorithm>

#include "actio/mechanics/model_language.hpp"

namespace actio {

namespace {

constexpr std::size_t most_tables = 1000;

const std::vector<file_entry>& tables_of(const file_value& root, const std::string& key) {
  static const std::vector<file_entry> none;
  const file_entry* all = find_entry(root, key);
  if (all == nullptr) return none;
  const std::string cure = "write [" + key + ".NAME] on a line of its own, and its keys below";
  if (all->value.kind != file_value_kind::table)
    throw_wrong_type("'" + key + "'", "a table", all->value, all->place, cure);
  if (all->value.entries.size() > most_tables) {
    throw input_error("model-too-large", "the model has " + std::to_string(all->value.entries.size()) + " " + key,
                      all->place, "at most " + std::to_string(most_tables) + " are possible");
  }
  for (const file_entry& one : all->value.entries) {
    if (one.value.kind != file_value_kind::table)
      throw_wrong_type("'" + one.key + "' in [" + key + "]", "a table", one.value, one.place, cure);
  }
  return all->value.entries;
}

const file_entry& required(const file_entry& table, const std::string& where, const std::string& key,
                           const std::string& example) {
  if (const file_entry* entry = find_entry(table.value, key)) return *entry;
  throw input_error("missing-key", where + " has no '" + key + "'", table.place, "add a line such as " + example);
}

source_text text_of(const file_entry& entry, const std::string& role, std::string_view expected) {
  const bool is_number = entry.value.kind == file_value_kind::number;
  if (entry.value.kind != file_value_kind::text && !is_number)
    throw_wrong_type("'" + entry.key + "'", expected, entry.value, entry.place);
  source_text source = entry.value.source;
  source.role = role;
  return source;
}

expr expression_in(const file_entry& entry, const std::string& where, const name_scope& scope, expression_use use) {
  try {
    return scope.parse(text_of(entry, entry.key + " of " + where, "an expression in quotes"), use);
  } catch (const input_error& error) {
    if (!entry.value.has_escapes) throw;
    throw input_error(error.id(), error.message(), entry.value.place, error.cure());
  }
}

// What `key` of a table set names: q, q', p_q or a parameter.
assigned_value target_of(const file_entry& entry, const std::string& where, const lagrangian_system& system) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < system.size(); ++i) {
    const expr& q = system.coordinates[i];
    std::vector<std::pair<expr, assigned_kind>> targets{{q, assigned_kind::position}};
    if (!system.is_first_order()) {
      targets.emplace_back(velocity_symbol(q), assigned_kind::velocity);
      targets.emplace_back(momentum_symbol(q), assigned_kind::momentum);
    }
    for (const auto& [symbol, kind] : targets) {
      if (symbol.name() == entry.key) return {kind, i, {}, entry.place};
      known.push_back(symbol.name());
    }
  }
  for (std::size_t k = 0; k < system.parameters.size(); ++k) {
    if (system.parameters[k].name == entry.key) return {assigned_kind::parameter, k, {}, entry.place};
    known.push_back(system.parameters[k].name);
  }
  throw input_error("unknown-event-target",
                    "'" + entry.key + "' in " + where + " is no coordinate, velocity, momentum or parameter",
                    entry.place, suggest(entry.key, known));
}

std::vector<assigned_value> read_set(const file_entry& table, const std::string& where, const name_scope& scope,
                                     const lagrangian_system& system) {
  if (table.value.kind != file_value_kind::table) {
    throw_wrong_type("'set'", "a table", table.value, table.place,
                     "write set = { NAME = \"EXPRESSION\" }, as in set = { \"y'\" = \"-y'\" }");
  }
  std::vector<assigned_value> result;
  bool velocities = false, momenta = false;
  for (const file_entry& entry : table.value.entries) {
    assigned_value target = target_of(entry, where + ".set", system);
    target.value = expression_in(entry, where, scope, expression_use::measurement);
    velocities = velocities || target.kind == assigned_kind::velocity;
    momenta = momenta || target.kind == assigned_kind::momentum;
    if (velocities && momenta) {
      throw input_error("conflicting-options", where + ".set gives new values to both velocities and momenta",
                        entry.place, "set the ones or the others: each follows from the other");
    }
    result.push_back(std::move(target));
  }
  return result;
}

}  // namespace

crossing crossing_from(const source_text& typed) {
  if (typed.text == "up") return crossing::up;
  if (typed.text == "down") return crossing::down;
  if (typed.text == "both") return crossing::both;
  throw input_error("unknown-option-value", "'" + typed.text + "' is no direction", typed.origin,
                    suggest(typed.text, {"up", "down", "both"}));
}

void declare_controls(const file_value& root, name_scope& scope) {
  for (const file_entry& table : tables_of(root, "control")) {
    scope.declare(table.key, name_kind::parameter, table.place, {"0", table.place, "control " + table.key});
  }
}

void define_controls(const file_value& root, name_scope& scope, lagrangian_system& system) {
  for (const file_entry& table : tables_of(root, "control")) {
    scope.define(table.key);
    system.parameters.push_back({table.key, expr(0), table.place});
  }
}

std::vector<sampled_control> read_controls(const file_value& root, const name_scope& scope,
                                           const lagrangian_system& system) {
  std::vector<sampled_control> result;
  for (const file_entry& table : tables_of(root, "control")) {
    const std::string where = "[control." + table.key + "]";
    check_keys(table.value, where, keys_of_table("control"));
    const file_entry& value = required(table, where, "value", "value = \"-k*q - d*q'\"");
    const file_entry& every = required(table, where, "every", "every = 0.01");
    const auto which = std::ranges::find(system.parameters, table.key, &named_expr::name);
    result.push_back({static_cast<std::size_t>(which - system.parameters.begin()),
                      expression_in(value, where, scope, expression_use::measurement),
                      expression_in(every, where, scope, expression_use::constant), every.value.place});
  }
  return result;
}

std::vector<model_event> read_events(const file_value& root, const name_scope& scope, const lagrangian_system& system) {
  std::vector<model_event> result;
  for (const file_entry& table : tables_of(root, "events")) {
    const std::string where = "[events." + table.key + "]";
    check_keys(table.value, where, keys_of_table("events"));
    model_event event{.name = table.key, .when = {}, .place = table.place};
    const file_entry& when = required(table, where, "when", "when = \"y\", which happens where y goes through zero");
    event.when = expression_in(when, where, scope, expression_use::measurement);
    if (event.when.is_number()) {
      throw input_error("expression-syntax", "'when' of " + where + " is the same everywhere: nothing goes through it",
                        when.value.place, "write an expression of the state or of t that goes through zero");
    }
    if (const file_entry* way = find_entry(table.value, "direction"))
      event.direction = crossing_from(text_of(*way, "direction", "\"up\", \"down\" or \"both\""));
    if (const file_entry* action = find_entry(table.value, "action")) {
      const source_text typed = text_of(*action, "action", "\"stop\" or \"record\"");
      event.stops = typed.text == "stop";
      if (!event.stops && typed.text != "record") {
        throw input_error("unknown-option-value", "'" + typed.text + "' is no action", typed.origin,
                          suggest(typed.text, {"stop", "record"}));
      }
    }
    if (const file_entry* set = find_entry(table.value, "set")) event.set = read_set(*set, where, scope, system);
    result.push_back(std::move(event));
  }
  return result;
}

}  // namespace actio
