// Every server prints its URL in the same format, and stops on SIGTERM.

/** @param {import('node:http').Server} server */
export function listen(server) {
  server.listen(0, '127.0.0.1', () => announce(server.address().port));
}

/** @param {number} port */
export function announce(port) {
  process.stdout.write(`http://127.0.0.1:${port}\n`);
  process.once('SIGTERM', () => process.exit());
}
