// Sets passwords with one of the product's commands, one user after the other, in one process without a pause: for
// specs that kill it. Prints each name on a line once its command has succeeded.
//
// node writer.mjs htdigest FILE REALM < names
// node writer.mjs htpasswd FILE < names
import { Command } from 'commander';
import { createRequire } from 'node:module';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const { registerHtdigest, registerHtpasswd } = createRequire(import.meta.url)(
  '../../dist/modules/mvc-auth/index.js',
);
const [command, file, ...realm] = process.argv.slice(2);
const options = command === 'htpasswd' ? ['-C', '4'] : [];

async function setPassword(name) {
  let code;
  const io = {
    stdin: Readable.from(['secret\n']),
    stdout: new PassThrough(),
    stderr: process.stderr,
    exit: (given) => (code = given),
  };
  const program = new Command();
  registerHtdigest(program, io);
  registerHtpasswd(program, io);
  await program.parseAsync([command, ...options, file, ...realm, name], { from: 'user' });
  return code;
}

const names = (await text(process.stdin)).trim().split('\n');
process.stdout.write('ready\n');
for (const name of names) {
  process.exitCode = await setPassword(name);
  if (process.exitCode !== 0) break;
  process.stdout.write(`${name}\n`);
}
