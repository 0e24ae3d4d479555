// A value that is usually T(): it takes no memory then. Copies share one value until one of them is edited.
#pragma once

#include <memory>
#include <utility>

namespace sinter {

template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(T value) : value_(std::make_shared<T>(std::move(value))) {}  // NOLINT: it stands for one

  // Whether it was given: T() otherwise.
  bool has_value() const { return value_ != nullptr; }
  const T& operator*() const { return value_ ? *value_ : none(); }
  const T* operator->() const { return &**this; }
  operator const T&() const { return **this; }  // NOLINT: it stands for one

  // To change it: detaches from other copies first.
  T& edit() {
    if (!value_) {
      value_ = std::make_shared<T>();
    } else if (value_.use_count() > 1) {
      value_ = std::make_shared<T>(*value_);
    }
    return *value_;
  }

  friend bool operator==(const Rare& a, const Rare& b) { return a.value_ == b.value_ || *a == *b; }

 private:
  static const T& none() {
    static const T none;
    return none;
  }

  std::shared_ptr<T> value_;
};

}  // namespace sinter
