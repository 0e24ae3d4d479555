// A value that is usually absent: std::optional's interface in the size of a pointer. Copies are deep.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace sinter {

template <class T>
class Boxed {
 public:
  using value_type = T;

  Boxed() = default;
  Boxed(std::nullopt_t) {}                                                           // NOLINT: as std::optional
  Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}                  // NOLINT: as std::optional
  Boxed(const std::optional<T>& value) : value_(value ? copy(&*value) : nullptr) {}  // NOLINT: as std::optional
  Boxed(const Boxed& other) : value_(copy(other.value_.get())) {}
  Boxed(Boxed&& other) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) value_ = copy(other.value_.get());
    return *this;
  }
  Boxed& operator=(Boxed&& other) noexcept = default;

  template <class U = T>
    requires(std::is_constructible_v<T, U> && !std::is_same_v<std::remove_cvref_t<U>, Boxed> &&
             !std::is_same_v<std::remove_cvref_t<U>, std::nullopt_t>)
  Boxed& operator=(U&& value) {
    value_ = std::make_unique<T>(std::forward<U>(value));
    return *this;
  }

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  T& value() {
    if (!has_value()) throw std::bad_optional_access();
    return *value_;
  }
  const T& value() const {
    if (!has_value()) throw std::bad_optional_access();
    return *value_;
  }
  template <class Default>
  T value_or(Default&& otherwise) const {
    return has_value() ? *value_ : static_cast<T>(std::forward<Default>(otherwise));
  }
  template <class... Arguments>
  T& emplace(Arguments&&... arguments) {
    value_ = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    return *value_;
  }
  void reset() { value_.reset(); }

  friend bool operator==(const Boxed& a, const Boxed& b) {
    return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
  }
  friend bool operator==(const Boxed& a, std::nullopt_t) { return !a.has_value(); }
  template <class U>
    requires(!std::is_same_v<U, Boxed> && std::is_convertible_v<const U&, T>)
  friend bool operator==(const Boxed& a, const U& b) {
    return a.has_value() && *a == b;
  }

 private:
  static std::unique_ptr<T> copy(const T* value) { return value == nullptr ? nullptr : std::make_unique<T>(*value); }

  std::unique_ptr<T> value_;
};

}  // namespace sinter
