// SPDX-License-Identifier: Apache-2.0
//
// abi: the device entry points of arch/abi.hpp, for the units of this folder. They are in one unit because each BMI
// that includes the header holds all its declarations, 85 KB. The header is included after the module declaration:
// names of the global module fragment are not visible to units that import this one. As extern "C" declarations the
// entries belong to no module all the same ([module.unit]).
export module cudax.sync:device_abi;
#include "../../../arch/abi.hpp"
