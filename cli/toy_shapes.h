// What the program calls the shapes of generated data.
#pragma once

#include <map>
#include <string>

#include "coppice/toy_data.h"

namespace coppice {

const std::map<std::string, ToyShape>& toy_shapes();

// "coppice generate spirals --rows 400 --classes 4 -o FILE": makes what generate() does.
std::string generate_command_line(const ToyOptions&, const std::string& file);

}  // namespace coppice
