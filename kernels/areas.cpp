#include "gxr/kernels/areas.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "contract.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

template <class T>
void count_pixels(const T* row, std::int64_t width, std::int64_t* count) {
  std::int64_t sum = 0;
  for (std::int64_t x = 0; x < width; ++x) {
    sum += row[x] != T{0} ? 1 : 0;
  }
  *count = sum;
}

template <class T>
bool is_empty(const T* row, std::int64_t width) {
  std::int64_t count = 0;
  run_vectorized<&count_pixels<T>>(row, width, &count);
  return count == 0;
}

/// Both, in one rectangle.
Area joined(const Area& a, const Area& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom), a.pixels + b.pixels};
}

/// Sets of cells, each with the number of its first one.
class Sets {
 public:
  std::size_t add(const Area& area) {
    entries_.push_back({entries_.size(), area});
    return entries_.size() - 1;
  }

  std::size_t join(std::size_t a, std::size_t b) {
    a = first_of(a);
    b = first_of(b);
    if (a != b) {
      entries_[std::max(a, b)].parent = std::min(a, b);
    }
    return std::min(a, b);
  }

  [[nodiscard]] std::vector<Area> areas(std::int64_t least_pixels) {
    // A parent stands before those that it has.
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (const std::size_t first = first_of(i); first != i) {
        entries_[first].area = joined(entries_[first].area, entries_[i].area);
      }
    }
    std::vector<Area> found;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].parent == i && entries_[i].area.pixels >= least_pixels) {
        found.push_back(entries_[i].area);
      }
    }
    return found;
  }

  void extend(std::size_t set, const Area& area) {
    entries_[set].area = joined(entries_[set].area, area);
  }

 private:
  struct Entry {
    std::size_t parent;
    Area area;
  };

  std::size_t first_of(std::size_t i) {
    while (entries_[i].parent != i) {
      entries_[i].parent = entries_[entries_[i].parent].parent;
      i = entries_[i].parent;
    }
    return i;
  }

  std::vector<Entry> entries_;
};

/// The pixels of one row of a cell, and the rectangle around them; `pixels` 0: there are none.
template <class T>
Area pixels_between(const T* row, std::int64_t begin, std::int64_t end, std::int64_t y) {
  Area found{end, y, begin, y + 1, 0};
  for (std::int64_t x = begin; x < end; ++x) {
    if (row[x] != T{0}) {
      found.left = std::min(found.left, x);
      found.right = x + 1;
      ++found.pixels;
    }
  }
  return found;
}

/// Adds a row of pixels to the cells that it crosses.
template <class T>
void add_row(const T* row, std::int64_t width, std::int64_t y, std::int64_t cell,
             std::vector<Area>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * cell;
    const Area found = pixels_between(row, begin, std::min(begin + cell, width), y);
    if (found.pixels > 0) {
      cells[i] = cells[i].pixels > 0 ? joined(cells[i], found) : found;
    }
  }
}

/// Puts a row of cells into the sets of those beside and above it.
void join_cells(const std::vector<Area>& cells, const std::vector<std::size_t>& above,
                std::vector<std::size_t>& sets_here, Sets& sets) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    sets_here[i] = kNone;
    if (cells[i].pixels == 0) {
      continue;
    }
    std::size_t set = i > 0 ? sets_here[i - 1] : kNone;
    const std::size_t last = std::min(i + 1, cells.size() - 1);
    for (std::size_t k = i > 0 ? i - 1 : 0; k <= last; ++k) {
      if (above[k] != kNone) {
        set = set == kNone ? above[k] : sets.join(set, above[k]);
      }
    }
    if (set == kNone) {
      set = sets.add(cells[i]);
    } else {
      sets.extend(set, cells[i]);
    }
    sets_here[i] = set;
  }
}

}  // namespace

template <class T>
std::vector<Area> find_areas(ImageView<const T> mask, std::int64_t cell,
                             std::int64_t least_pixels) {
  require_channels(mask, 1, "mask");
  require(cell >= 1, "cell must be at least 1");
  cell = std::min(cell, std::max(mask.width, mask.height));
  const auto columns = static_cast<std::size_t>((mask.width + cell - 1) / cell);
  std::vector<Area> cells(columns);
  std::vector<std::size_t> above(columns, kNone);
  std::vector<std::size_t> here(columns, kNone);
  Sets sets;
  for (std::int64_t top = 0; top < mask.height; top += cell) {
    std::fill(cells.begin(), cells.end(), Area{});
    for (std::int64_t y = top; y < std::min(top + cell, mask.height); ++y) {
      if (!is_empty(mask.row(y), mask.width)) {
        add_row(mask.row(y), mask.width, y, cell, cells);
      }
    }
    join_cells(cells, above, here, sets);
    std::swap(above, here);
  }
  return sets.areas(least_pixels);
}

template std::vector<Area> find_areas(ImageView<const std::uint8_t>, std::int64_t, std::int64_t);
template std::vector<Area> find_areas(ImageView<const std::uint16_t>, std::int64_t, std::int64_t);
template std::vector<Area> find_areas(ImageView<const float>, std::int64_t, std::int64_t);

}  // namespace gxr::kernels
