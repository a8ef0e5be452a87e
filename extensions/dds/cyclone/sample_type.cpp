#include "dds/cyclone/sample_type.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include <dds/ddsi/q_radmin.h>

#include "dds/cdr_reader.hpp"
#include "dds/cyclone/iceoryx.hpp"

// The functions of Cyclone DDS that make a type, called from C: nothing may be thrown through them.
namespace gxr::dds {
namespace {

struct SampleType : ddsi_sertype {
  const Description* description;
};

const StoredSample& stored(const ddsi_serdata* data) {
  return *static_cast<const StoredSample*>(data);
}

// --- reading of what came over the network ------------------------------------------------------

/// Submessages of RTPS that carry a sample, or a fragment of one: how they begin.
struct DataHeader {
  std::uint8_t kind;
  std::uint8_t flags;
  std::uint16_t length;
  std::uint16_t extra_flags;
  std::uint16_t to_inline_qualities;
  std::uint32_t reader;
  std::uint32_t writer;
  std::int32_t number_high;
  std::uint32_t number_low;
};
constexpr std::uint8_t kData = 0x15;
constexpr std::uint8_t kDataFragment = 0x16;
constexpr std::uint8_t kLittleEndian = 1;

/// The number of the sample at its writer, which Cyclone DDS does not tell; 0: not known.
std::uint64_t number_of(const nn_rdata& fragment) {
  if (fragment.submsg_zoff == 0) {
    return 0;
  }
  DataHeader header{};
  std::memcpy(&header, NN_RMSG_PAYLOADOFF(fragment.rmsg, NN_RDATA_SUBMSG_OFF(&fragment)),
              sizeof(header));
  if (header.kind != kData && header.kind != kDataFragment) {
    return 0;
  }
  auto high = static_cast<std::uint32_t>(header.number_high);
  std::uint32_t low = header.number_low;
  if (((header.flags & kLittleEndian) != 0) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)) {
    high = __builtin_bswap32(high);
    low = __builtin_bswap32(low);
  }
  return std::uint64_t{high} << 32 | low;
}

/// Fragments in their order; they may overlap. False: some are missing.
bool copy_fragments(const nn_rdata* fragment, std::span<std::byte> wire) {
  std::size_t end = 0;
  for (; fragment != nullptr; fragment = fragment->nextfrag) {
    if (fragment->min > end || fragment->maxp1 > wire.size()) {
      return false;
    }
    if (fragment->maxp1 > end) {
      const unsigned char* const payload =
          NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
      std::memcpy(wire.data() + end, payload + (end - fragment->min), fragment->maxp1 - end);
      end = fragment->maxp1;
    }
  }
  return end == wire.size();
}

StoredSample* make_stored(const ddsi_sertype* type, ddsi_serdata_kind kind) {
  auto* const sample = new (std::nothrow) StoredSample;
  if (sample != nullptr) {
    ddsi_serdata_init(sample, type, kind);
    sample->hash = 0;  // all have the same key: none
  }
  return sample;
}

/// `fill`: copies so many bytes of the network. Null, which Cyclone DDS reports, without memory.
template <class Fill>
ddsi_serdata* take_in(const ddsi_sertype* type, ddsi_serdata_kind kind, std::size_t size,
                      const Fill& fill) {
  StoredSample* const sample = make_stored(type, kind);
  if (sample == nullptr || kind != SDK_DATA) {
    return sample;
  }
  try {
    if (size < SampleBytes::kHeaderSize) {
      sample->flaw = "it has " + std::to_string(size) + " bytes, fewer than name its encoding";
      return sample;
    }
    sample->bytes = std::make_shared<SampleBytes>(size - SampleBytes::kHeaderSize);
    const std::span wire(sample->bytes->wire(), size);
    if (!fill(wire)) {
      sample->flaw = "its fragments do not fit together";
      return sample;
    }
    make_native(*static_cast<const SampleType*>(type)->description, wire);
    return sample;
  } catch (const std::exception& error) {
    try {
      sample->flaw = error.what();
      return sample;
    } catch (const std::bad_alloc&) {
      ddsi_serdata_unref(sample);
      return nullptr;
    }
  }
}

ddsi_serdata* from_network(const ddsi_sertype* type, ddsi_serdata_kind kind,
                           const nn_rdata* fragments, std::size_t size) {
  ddsi_serdata* const data = take_in(
      type, kind, size, [&](std::span<std::byte> wire) { return copy_fragments(fragments, wire); });
  if (data != nullptr) {
    static_cast<StoredSample*>(data)->number = number_of(*fragments);
  }
  return data;
}

ddsi_serdata* from_pieces(const ddsi_sertype* type, ddsi_serdata_kind kind,
                          ddsrt_msg_iovlen_t count, const ddsrt_iovec_t* pieces, std::size_t size) {
  return take_in(type, kind, size, [&](std::span<std::byte> wire) {
    std::size_t end = 0;
    for (ddsrt_msg_iovlen_t i = 0; i < count && end < wire.size(); ++i) {
      const std::size_t length = std::min<std::size_t>(pieces[i].iov_len, wire.size() - end);
      std::memcpy(wire.data() + end, pieces[i].iov_base, length);
      end += length;
    }
    return end == wire.size();
  });
}

ddsi_serdata* from_key_hash(const ddsi_sertype* type, const ddsi_keyhash* /*hash*/) {
  return make_stored(type, SDK_KEY);
}

/// A sample that is to be shared, or one that says that a writer is gone.
ddsi_serdata* from_sample(const ddsi_sertype* type, ddsi_serdata_kind kind, const void* sample) {
  StoredSample* const made = make_stored(type, kind);
  if (made != nullptr && kind == SDK_DATA && sample != nullptr) {
    const auto& shared = *static_cast<const SampleToShare*>(sample);
    made->bytes = shared.bytes;
    made->number = shared.number;
    made->is_own = true;
  }
  return made;
}

#ifdef GXR_HAS_ICEORYX
/// `chunk` goes back with the sample, because Cyclone DDS still reads what stands before it.
ddsi_serdata* from_shared_memory(const ddsi_sertype* type, ddsi_serdata_kind kind, void* subscriber,
                                 void* chunk) {
  if (subscriber == nullptr) {  // what this thread writes
    ddsi_serdata* const own = from_sample(type, kind, sample_to_share());
    if (own != nullptr) {
      own->iox_chunk = chunk;
    }
    return own;
  }
  const SharedSample shared = read_shared_memory(chunk);
  ddsi_serdata* const data = take_in(
      type, kind, shared.body.size() + SampleBytes::kHeaderSize, [&](std::span<std::byte> wire) {
        std::ranges::copy(shared.body, wire.begin() + SampleBytes::kHeaderSize);
        return true;
      });
  if (data != nullptr) {
    auto& sample = *static_cast<StoredSample*>(data);
    sample.number = shared.number;
    sample.was_shared = true;
    sample.iox_chunk = chunk;
    sample.iox_subscriber = subscriber;
    if (!shared.is_serialized && kind == SDK_DATA) {
      sample.flaw = "it came in shared memory in the form of its program";
    }
  }
  return data;
}
#endif

// --- writing -------------------------------------------------------------------------------------

/// The bytes of a sample without data.
constexpr std::byte kNothing[8] = {};

const std::byte* wire_of(const StoredSample& sample) {
  return sample.bytes != nullptr ? sample.bytes->wire() : static_cast<const std::byte*>(kNothing);
}

std::uint32_t wire_size(const ddsi_serdata* data) {
  const StoredSample& sample = stored(data);
  return sample.bytes != nullptr ? static_cast<std::uint32_t>(sample.bytes->wire_size())
                                 : static_cast<std::uint32_t>(SampleBytes::kHeaderSize);
}

void copy_wire(const ddsi_serdata* data, std::size_t offset, std::size_t size, void* to) {
  std::memcpy(to, wire_of(stored(data)) + offset, size);
}

ddsi_serdata* lend_wire(const ddsi_serdata* data, std::size_t offset, std::size_t size,
                        ddsrt_iovec_t* piece) {
  piece->iov_base = const_cast<std::byte*>(wire_of(stored(data)) + offset);
  piece->iov_len = size;
  return ddsi_serdata_ref(data);
}

void return_wire(ddsi_serdata* data, const ddsrt_iovec_t* /*piece*/) { ddsi_serdata_unref(data); }

// --- the rest ------------------------------------------------------------------------------------

bool has_equal_key(const ddsi_serdata* /*a*/, const ddsi_serdata* /*b*/) { return true; }
bool to_sample(const ddsi_serdata* /*data*/, void* /*sample*/, void** /*memory*/, void* /*end*/) {
  return false;
}
ddsi_serdata* without_type(const ddsi_serdata* data) {
  StoredSample* const sample = make_stored(data->type, SDK_KEY);
  if (sample != nullptr) {
    sample->type = nullptr;
  }
  return sample;
}
bool to_sample_of_type(const ddsi_sertype* /*type*/, const ddsi_serdata* /*data*/, void* /*sample*/,
                       void** /*memory*/, void* /*end*/) {
  return true;
}
void free_sample(ddsi_serdata* data) {
  release_shared_memory(*data);
  delete static_cast<StoredSample*>(data);
}
std::size_t print(const ddsi_sertype* /*type*/, const ddsi_serdata* /*data*/, char* buffer,
                  std::size_t size) {
  if (size > 0) {
    buffer[0] = '\0';
  }
  return 0;
}
void make_key_hash(const ddsi_serdata* /*data*/, ddsi_keyhash* hash, bool /*md5*/) {
  std::memset(hash, 0, sizeof(*hash));
}

constexpr ddsi_serdata_ops sample_operations() {
  ddsi_serdata_ops operations{};
  operations.eqkey = &has_equal_key;
  operations.get_size = &wire_size;
  operations.from_ser = &from_network;
  operations.from_ser_iov = &from_pieces;
  operations.from_keyhash = &from_key_hash;
  operations.from_sample = &from_sample;
  operations.to_ser = &copy_wire;
  operations.to_ser_ref = &lend_wire;
  operations.to_ser_unref = &return_wire;
  operations.to_sample = &to_sample;
  operations.to_untyped = &without_type;
  operations.untyped_to_sample = &to_sample_of_type;
  operations.free = &free_sample;
  operations.print = &print;
  operations.get_keyhash = &make_key_hash;
#ifdef GXR_HAS_ICEORYX
  operations.from_iox_buffer = &from_shared_memory;
#endif
  return operations;
}
constexpr ddsi_serdata_ops kSampleOperations = sample_operations();

void free_type(ddsi_sertype* type) {
  ddsi_sertype_fini(type);
  delete static_cast<SampleType*>(type);
}
void zero_samples(const ddsi_sertype* /*type*/, void* /*samples*/, std::size_t /*count*/) {}
void resize_samples(void** pointers, const ddsi_sertype* /*type*/, void* /*old*/,
                    std::size_t /*old_count*/, std::size_t count) {
  std::fill_n(pointers, count, nullptr);
}
void free_samples(const ddsi_sertype* /*type*/, void** /*pointers*/, std::size_t /*count*/,
                  dds_free_op_t /*operation*/) {}
bool are_equal(const ddsi_sertype* a, const ddsi_sertype* b) {
  return static_cast<const SampleType*>(a)->description ==
         static_cast<const SampleType*>(b)->description;
}
std::uint32_t hash_of(const ddsi_sertype* type) {
  return static_cast<std::uint32_t>(
      std::hash<const void*>()(static_cast<const SampleType*>(type)->description));
}

// By these two Cyclone DDS knows that samples may go through shared memory.
std::size_t serialized_size(const ddsi_sertype* /*type*/, const void* sample) {
  return size_in_shared_memory(*static_cast<const SampleToShare*>(sample));
}
bool serialize_into(const ddsi_sertype* /*type*/, const void* sample, void* memory,
                    std::size_t /*size*/) {
  copy_into_shared_memory(*static_cast<const SampleToShare*>(sample), memory);
  return true;
}

constexpr ddsi_sertype_ops type_operations(bool may_share) {
  ddsi_sertype_ops operations{};
  operations.version = &ddsi_sertype_v0;
  operations.free = &free_type;
  operations.zero_samples = &zero_samples;
  operations.realloc_samples = &resize_samples;
  operations.free_samples = &free_samples;
  operations.equal = &are_equal;
  operations.hash = &hash_of;
  if (may_share) {
    operations.get_serialized_size = &serialized_size;
    operations.serialize_into = &serialize_into;
  }
  return operations;
}
constexpr ddsi_sertype_ops kTypeOperations = type_operations(false);
constexpr ddsi_sertype_ops kSharedTypeOperations = type_operations(true);

}  // namespace

ddsi_sertype* make_sample_type(const Description& description, bool may_share) {
  auto type = std::make_unique<SampleType>();
  type->description = &description;
  ddsi_sertype_init_flags(type.get(), description.wire_name.c_str(),
                          may_share ? &kSharedTypeOperations : &kTypeOperations, &kSampleOperations,
                          DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
  return type.release();
}

StoredSample* make_stored_sample(const ddsi_sertype& type, SharedBytes bytes) {
  StoredSample* const sample = make_stored(&type, SDK_DATA);
  if (sample == nullptr) {
    throw std::bad_alloc();
  }
  sample->bytes = std::move(bytes);
  sample->is_own = true;
  return sample;
}

}  // namespace gxr::dds
