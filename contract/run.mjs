// `npm run contract`: verifies the documentation of a running server with third-party tools. Everything runs locally,
// except that GitHub's API description is downloaded once. `-- apis tables` skips that part, `-- github` the others.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { awake } from './awake.mjs';
import { client } from './client.mjs';
import { declarations } from './declarations.mjs';
import { counts } from './findings.mjs';
import { github } from './github/github.mjs';
import { lint } from './lint.mjs';
import { documentOf, SCOPES, SHOP_SCOPES, startPlatform, startShop } from './project.mjs';
import { proxy } from './proxy.mjs';

/** The documents whose operations are all called through Prism. */
const CALLED = ['/Atlas-v1', '/Atlas-v2', '/Every.Feature-v2'];

const PARTS = { apis, tables, github };

const clock = performance.now();
const say = (text) =>
  console.log(`${((performance.now() - clock) / 1000).toFixed(1).padStart(5)} s  ${text}`);

const requested = process.argv.slice(2);
const unknown = requested.filter((part) => !Object.hasOwn(PARTS, part));
if (unknown.length > 0) {
  console.error(
    `Part "${unknown.join('", "')}" does not exist. Available: ${Object.keys(PARTS).join(', ')}; defaults to all.`,
  );
  process.exit(1);
}
for (const [name, part] of Object.entries(PARTS)) {
  if (requested.length === 0 || requested.includes(name)) await part(say);
}
const { passed, failed } = counts();
console.log(
  failed === 0 ? `Verified: ${passed} checks passed.` : `${failed} of ${passed + failed} checks failed.`,
);
process.exitCode = failed === 0 ? 0 : 1;

async function tables() {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-documents-'));
  const platform = await startShop();
  try {
    const documents = await documentsOf(platform.origin, SHOP_SCOPES, folder);
    await lint(documents);
    const [{ scope, document, file }] = documents;
    const requests = await proxy(platform.origin, scope.slice(1), document, file);
    say(
      `services over tables: the linters read ${documents.length} documents, Prism compared ${requests} responses`,
    );
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fetches documents into a folder. */
async function documentsOf(origin, scopes, folder) {
  const documents = [];
  for (const scope of scopes) {
    const text = await documentOf(origin, scope);
    const file = path.join(folder, `${scope.replaceAll('/', '_') || 'list'}.json`);
    writeFileSync(file, text);
    documents.push({ scope, file, document: JSON.parse(text) });
  }
  return documents;
}

async function apis() {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-documents-'));
  const platform = await startPlatform();
  try {
    const documents = await documentsOf(platform.origin, SCOPES, folder);
    const fileOf = (scope) => documents.find((one) => one.scope === scope).file;
    await lint(documents);
    say(`@redocly/cli and Spectral read ${documents.length} documents`);
    await client(platform.origin, [
      { name: 'atlas', file: fileOf('/Atlas-v1') },
      { name: 'every-feature', file: fileOf('/Every.Feature-v1') },
    ]);
    say('openapi-typescript generated clients, which compiled and called the server');
    let requests = 0;
    for (const { scope, file, document } of documents) {
      if (CALLED.includes(scope)) requests += await proxy(platform.origin, scope.slice(1), document, file);
    }
    say(`Prism compared ${requests} responses with ${CALLED.length} documents`);
    declarations();
    say('TypeScript 5 compiled the exports of an author');
    await awake(platform.origin, folder, documents.find(({ scope }) => scope === '/Atlas-v1').document);
    say('every tool reports a deliberate error');
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
