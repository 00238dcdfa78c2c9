// The platform with a project, in a process that reports its memory and CPU time. Run with --expose-gc.
import { startPlatform } from '../../dist/platform.js';

const quiet = { error: console.error, warn: () => undefined, info: () => undefined };
const platform = await startPlatform({ root: process.argv[2], log: quiet });

/** Bytes after garbage collection: of objects, and of buffers. */
function used() {
  for (let round = 0; round < 3; round += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.on('message', (question) => {
  if (question === 'stop') void platform.stop().then(() => process.disconnect());
  else if (question === 'used') process.send(used());
  else process.send(process.cpuUsage().user + process.cpuUsage().system);
});
process.send(platform.origin);
