// SIGINT and SIGTERM as a descriptor that becomes readable: whoever polls can stop in order.
// Ends nothing itself.
// Used by cmd_grade.cpp, once per process.
#pragma once

namespace tools {

/// From now on the two signals no longer end this process. The descriptor stays open; -1 if there
/// is none to be had.
int catch_stop_signals();

/// The signal that came, 0 if none did.
int stop_signal();

}  // namespace tools
