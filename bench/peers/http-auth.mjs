// http-auth with node:http: Basic with bcrypt, Digest with MD5, both from files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import auth from 'http-auth';
import { bcryptHash, digestSecrets, realm, user } from '../sample/guarded.mjs';
import { thing } from '../sample/things.mjs';
import { listen } from './listen.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};

const guards = {
  basic: auth.basic({ realm, file: write('htpasswd', `${user}:${bcryptHash}\n`) }),
  digest: auth.digest({ realm, file: write('htdigest', `${user}:${realm}:${digestSecrets.md5}\n`) }),
};

listen(
  createServer((request, response) => {
    const [, kind, id] = request.url.split('/');
    const guard = Object.hasOwn(guards, kind) ? guards[kind] : undefined;
    if (guard === undefined) {
      response.writeHead(404).end();
      return;
    }
    guard.check((_request, answer) => {
      answer.setHeader('Content-Type', 'application/json');
      answer.end(JSON.stringify(thing(id)));
    })(request, response);
  }),
);
