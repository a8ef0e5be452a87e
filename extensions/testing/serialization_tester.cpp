#include "serialization_tester.hpp"

namespace gxr::testing {

void SerializationTester::declare(Interface& interface) {
  interface.input(input_, "input", "Messages to serialise, one per tick");
  interface.output(output_, "output", "What was read back, as new messages");
  interface.parameter(entity_serializer_, "entity_serializer", "Writes and reads the messages");
  interface.parameter(serialization_buffer_, "serialization_buffer",
                      "Memory in between, which must hold a whole message");
}

void SerializationTester::tick() {
  serialization_buffer_->reset();
  const Message message = input_.receive();
  entity_serializer_->serialize(message, *serialization_buffer_.get());
  output_.publish(entity_serializer_->deserialize(*serialization_buffer_.get()));
}

}  // namespace gxr::testing
