// Acquires the lock of a file and prints "held"; then executes the lines of standard input, and responds to each with
// "done" or the code of the error: "write TEXT", "remove", "release".
//
// node lock-holder.mjs FILE
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { withLock } = require('../../../dist/framework/index.js');

await withLock(process.argv[2], async (lock) => {
  process.stdout.write('held\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, text] = line.split(' ');
    if (verb === 'release') break;
    const work = verb === 'write' ? lock.replace(text) : lock.remove();
    process.stdout.write(
      await work.then(
        () => 'done\n',
        ({ code }) => `${code}\n`,
      ),
    );
  }
});
process.exit(0);
