// Changes config/autoload/local.json repeatedly, for specs that kill it or remove its disk. Prints "ready",
// then each number after it is written. Ends with the message and code of an error.
//
// node local-writer.mjs ROOT KEY COUNT [SIZE] [USER]
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { editText, LocalConfiguration } = require('../../../dist/framework/index.js');
const [root, key, count, size = '0', user] = process.argv.slice(2);
if (user !== undefined && process.getuid() === 0) process.setuid(Number(user));

const local = new LocalConfiguration(root);
const { text = '{}' } = await local.read();
const first = (JSON.parse(text)[key]?.number ?? 0) + 1;
process.stdout.write('ready\n');
try {
  for (let number = first; number < first + Number(count); number++) {
    // The length depends on the number, so that an incomplete file is detected.
    const value = { number, filler: 'x'.repeat(Number(size) + (number % 7) * 1000), end: number };
    await local.locked(({ text: before, write }) =>
      write(editText(before, [{ path: [key], value }]), { summary: `Wrote ${number}.`, by: key }),
    );
    process.stdout.write(`${number}\n`);
  }
} catch (error) {
  process.stdout.write(`${error.message} (${error.code})\n`);
  process.exitCode = 1;
}
