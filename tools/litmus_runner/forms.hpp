// SPDX-License-Identifier: Apache-2.0
//
// forms: the operations of a program as text, through the library and as PTX.
#pragma once

#include <string>

#include "../litmus_model/program.hpp"

namespace litmus_runner {

/// What an operation needs: all of it as text of CUDA except sizes, orders and scopes.
struct access {
  std::string address; ///< of type char*
  unsigned size = 4;
  unsigned elements = 1;         ///< of a weak vector access
  char const* space = ".global"; ///< .global, .shared or empty, for generic addresses
  litmus::order order = litmus::order::relaxed, failure = litmus::order::relaxed;
  litmus::scope scope = litmus::scope::device;
  bool bounded = false;        ///< wait gives up as an await does, since it may not end
  std::string result;          ///< a variable, or empty
  std::string value, expected; ///< expressions of the access's type
};

/// The type of an access of `size` bytes.
std::string type_of(unsigned size);

/// The library's names of an order and of a scope.
std::string library_order(litmus::order);
std::string library_scope(litmus::scope);

/// Each function returns statements. Throws not_runnable if the form lacks the operation.
struct library_form {
  static std::string load(access const&);
  static std::string store(access const&);
  static std::string exchange(access const&);
  static std::string fetch_add(access const&);
  static std::string store_add(access const&);
  static std::string compare_exchange(access const&);
  static std::string wait(access const&); ///< until the location is not `value`
  static std::string notify(access const&);
  static std::string fence(litmus::order, litmus::scope);
};
struct ptx_form {
  static std::string load(access const&);
  static std::string store(access const&);
  static std::string exchange(access const&);
  static std::string fetch_add(access const&);
  static std::string store_add(access const&);
  static std::string compare_exchange(access const&);
  static std::string wait(access const&); ///< until the location is not `value`
  static std::string notify(access const&);
  static std::string fence(litmus::order, litmus::scope);
};

} // namespace litmus_runner
