// Changes config/autoload/local.json again and again, for specs that kill it or take its disk away. Says "ready",
// then each number once it is written; the message of an error, and its code, end it.
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
    // As long as its number says: half a file would show.
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
