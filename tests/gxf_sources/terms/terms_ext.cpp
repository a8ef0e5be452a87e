#include "codelets.hpp"
#include "counting_allocator.hpp"
#include "event_term.hpp"
#include "gxf/std/extension_factory_helper.hpp"
#include "polling_term.hpp"

extern "C" {
GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b20, "TermsExtension",
                         "Scheduling terms and their users", "Acme", "0.9.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b21, acme::terms::PollingTerm,
                    nvidia::gxf::SchedulingTerm, "Ready when it has been asked often enough");
GXF_EXT_FACTORY_ADD(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b22, acme::terms::EventTerm,
                    nvidia::gxf::SchedulingTerm, "Ready when a thread of its own says so");
GXF_EXT_FACTORY_ADD(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b23, acme::terms::CountingAllocator,
                    nvidia::gxf::Allocator, "Gives system memory up to a limit");
GXF_EXT_FACTORY_ADD(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b24, acme::terms::TickCounter,
                    nvidia::gxf::Codelet, "Counts its ticks");
GXF_EXT_FACTORY_ADD(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b25, acme::terms::MemoryUser,
                    nvidia::gxf::Codelet, "Takes and gives back memory");
GXF_EXT_FACTORY_ADD(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b26, acme::terms::Squarer,
                    nvidia::gxf::Codelet, "Squares numbers on a thread of its own");
GXF_EXT_FACTORY_ADD(0xe4092b7ac15d4f38, 0x86d1c0f73a5e9b27, acme::terms::Alarm,
                    nvidia::gxf::Codelet, "Ticks at times that it chooses itself");
GXF_EXT_FACTORY_END()
}
