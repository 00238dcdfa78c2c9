// Edits files with the code of the platform. Each line of standard input is an edit as JSON, `{ kind, file, name }`; all
// run concurrently. Prints "ready", then `["done", name]` for an acknowledged edit, or `["refused", name, code]`.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { editText, LocalConfiguration } = require('../../dist/framework/index.js');
const { changePasswordFile, setPasswordLine } = require('../../dist/modules/mvc-auth/index.js');
const { setDigestPassword } = require('../../dist/modules/mvc-auth/password-files/editing/digest-users.js');

/** A fixed bcrypt hash, because hashing is not under test. */
const HASH = `$2y$12$${'a'.repeat(53)}`;
const NOTHING = Buffer.alloc(0);

const EDITS = {
  htpasswd: ({ file, name }) =>
    changePasswordFile(file, (bytes = NOTHING) => setPasswordLine(bytes, name, `${name}:${HASH}`).bytes),
  htdigest: ({ file, name }) =>
    changePasswordFile(
      file,
      (bytes = NOTHING) => setDigestPassword(bytes, { username: name, realm: 'people' }, 'password').bytes,
    ),
  configuration: ({ root, name }) =>
    new LocalConfiguration(root).locked(({ text, write }) =>
      write(editText(text, [{ path: ['edits', name], value: name }]), { summary: name, by: 'worker' }),
    ),
};

// Written synchronously, so that no acknowledgement is lost when the process is killed.
const say = (answer) => writeSync(1, `${JSON.stringify(answer)}\n`);

say(['ready']);
for await (const line of createInterface({ input: process.stdin })) {
  const edit = JSON.parse(line);
  void EDITS[edit.kind](edit).then(
    () => say(['done', edit.name]),
    (error) => say(['refused', edit.name, error.code ?? error.cause?.code ?? error.message]),
  );
}
