// Loaded by the processes that `dev` starts. They are in sessions of their own, so that Ctrl+C reaches only the command,
// which ends them; this ends them if the command was killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Without this, the channel would keep a process running whose work is done.
process.channel?.unref();
