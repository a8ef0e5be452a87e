#pragma once

#include <gst/gst.h>

/// Registers the element passwordsink, which fails with the user that it was told, and how many
/// letters the password has.
gboolean register_password_sink(GstPlugin* plugin);
