import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemErrorCode } from '../../../src/framework';

/** Below the ports that systems assign to servers without one: suites at the same time start many of those. */
const [LOWEST, HIGHEST] = [22_000, 32_767];

/** A port of the loopback interface that nothing listens on, and that no server gets that does not ask for it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    // Windows reserves ranges of ports. With any other error, no port would be free.
    if (['EADDRINUSE', 'EACCES'].includes(systemErrorCode(error))) return false;
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
