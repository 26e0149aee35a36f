// Fields as pictures for pages. Internal to io/.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "actio/io/field_record.hpp"

namespace actio {

// One a field, as web/report/src/data.ts has maps: of one index over index and time, of two with a frame a moment.
nlohmann::ordered_json fields_json(std::span<const coordinate_field> fields);

}  // namespace actio
