// What the rules of feature words look at: every expression of the kernel with its loops and branches, every access to
// memory with its subscript, and where values come from. Guesses by form, made to describe.
#pragma once

#include "tool/source/features/tree.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace agentic::features {

struct Occurrence {
  enum class Role { Statement, Value, Condition, Header, Returned };
  Role role = Role::Statement; ///< Value: of a declaration, `node.variable`
  const Node *node = nullptr;
  const Expression *root = nullptr;
  int loop = -1;                    ///< innermost loop around it
  std::vector<const Node *> inside; ///< branches and switches around it within that loop

  const Node *branch() const { return inside.empty() ? nullptr : inside.back(); } ///< the innermost of `inside`
  /// Of a loop that counts nothing: its condition decides, as a branch's does.
  bool isOpenHeader() const { return role == Role::Header && !node->variable; }
  bool isTest() const { return role == Role::Condition || isOpenHeader(); }
};

struct SceneLoop {
  const Node *node = nullptr;
  int parent = -1, depth = 0;
  bool isInnermost = true, leaves = false;
  std::optional<std::int64_t> trips;
  std::set<VariableId> declared;           ///< anywhere in it
  std::set<VariableId> assigned;           ///< anywhere in it, declarations excepted
  std::map<VariableId, std::int64_t> walk; ///< changed by constants alone, and by how much in a round
};

struct SceneAccess {
  const Occurrence *place = nullptr;
  const Expression *element = nullptr;
  VariableId base{};
  std::string array; ///< its name, with the fields behind it: "weights.nibbles"
  std::optional<moves::Polynomial> subscript;
  std::vector<const Expression *> indices;
  bool reads = false, writes = false;
  bool isUpdate = false;   ///< `a[i] += x`, `++a[i]`
  bool isIndex = false;    ///< it stands in another access's subscript
  bool isInHeader = false; ///< of a loop
  bool isIndexedByData = false, isIndexedByByte = false;
  bool isTable = false; ///< a constant array of the project
  bool isLocal = false; ///< an array of the function itself
};

/// `target op= value`, in any of its forms; a step has no value.
struct SceneUpdate {
  const Occurrence *place = nullptr;
  const Expression *target = nullptr, *value = nullptr;
  std::string op; ///< "+", "-", "*", "min", "max", …
};

struct SceneAssignment {
  const Occurrence *place = nullptr;
  const Expression *target = nullptr, *value = nullptr;
  std::string op; ///< "=", "+=", …
};

class Scene {
public:
  explicit Scene(const Tree &tree, std::size_t parameters);
  Scene(const Scene &) = delete;
  Scene &operator=(const Scene &) = delete;

  const Tree &tree;
  std::vector<SceneLoop> loops;
  std::vector<Occurrence> occurrences;
  std::vector<SceneAccess> accesses;
  std::vector<SceneUpdate> updates;
  std::vector<SceneAssignment> assignments;

  const moves::Variable &variable(VariableId id) const { return tree.names.variable(id); }
  /// Whether it depends on what was read from memory.
  bool isData(const Expression &expression) const;
  bool isData(VariableId variable) const { return data_.contains(variable); }
  /// The values that are assigned to a variable, its initial one included; targets of `op=` are given whole.
  const std::vector<const Expression *> &values(VariableId variable) const;
  /// Calls `visit` for an expression and for those that its local variables got their values from.
  void forEachSource(const Expression &expression, const std::function<void(const Expression &)> &visit) const;
  /// The arrays that a value comes from.
  std::set<std::string> arraysOf(const Expression &expression) const;
  /// The accesses that a value comes from, directly or by local variables.
  std::vector<const SceneAccess *> accessesOf(const Expression &expression) const;
  std::optional<moves::Polynomial> form(const Expression &expression) const;
  /// In elements per round of that loop; nullopt: not a constant.
  std::optional<std::int64_t> stride(const SceneAccess &access, int loop) const;
  /// Whether the subscript names the loop's variable or one that walks in it.
  bool movesWith(const SceneAccess &access, int loop) const;
  /// Whether the subscript names this variable, in what is opaque, too.
  bool namesIn(const SceneAccess &access, VariableId variable) const;
  bool isInLoop(int inner, int outer) const;
  /// Declared outside of the loop, and assigned in it.
  bool isCarried(VariableId variable, int loop) const;
  bool isDataBranch(const Node &node) const;
  bool isUnderData(const Occurrence &place) const; ///< a condition on data decides whether it is reached
  bool isLoopVariable(VariableId variable) const;
  /// The variable itself, through casts; nullopt: anything else.
  static std::optional<VariableId> named(const Expression &expression);

private:
  void walk(const std::vector<Node> &nodes, int loop, std::vector<const Node *> &inside);
  void walkLoop(const Node &node, int parent);
  void add(const Node &node, const Expression &root, Occurrence::Role role, int loop,
           const std::vector<const Node *> &inside);
  void collectDefinitions();
  void collectChanges();
  void collectData();
  void collectAccesses();
  void visitAccesses(const Occurrence &place, const Expression &expression, bool reads, bool writes, bool isUpdate,
                     bool isIndex);
  void addAccess(const Occurrence &place, const Expression &element, bool reads, bool writes, bool isUpdate,
                 bool isIndex);
  std::optional<moves::Polynomial> formOf(const Expression &expression, int depth) const;
  moves::Polynomial opaque(const Expression &expression) const;

  std::size_t parameters_;
  std::map<VariableId, std::vector<const Expression *>> values_;
  std::set<VariableId> data_;
  std::map<const Expression *, std::vector<std::size_t>> accessesAt_; ///< by element
  mutable std::vector<std::pair<std::string, std::set<VariableId>>> opaque_;
};

/// Calls `visit` for every expression of the scene, outermost first.
void forEachPart(const Scene &scene, const std::function<void(const Occurrence &, const Expression &)> &visit);

} // namespace agentic::features
