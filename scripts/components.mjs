// `npm run components [-- FILE]`: writes the list of components as CycloneDX 1.5 JSON: the packages that are installed
// with the platform, and those that are bundled in dist/vendor with everything they need.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledPackages } from './build/bundle.mjs';
import { root } from './up-to-date.mjs';

const read = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/** Finds the entry of a dependency as Node resolves it: in the nearest node_modules. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const key = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[key] !== undefined) return key;
    if (folder === '') return undefined;
  }
}

/** The keys of the lock file that the platform consists of. */
function shippedKeys(packages, bundled) {
  const found = new Set();
  const add = (from, name) => {
    const key = resolve(packages, from, name);
    if (key === undefined || found.has(key)) return;
    found.add(key);
    const { dependencies = {}, optionalDependencies = {} } = packages[key];
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) add(key, one);
  };
  for (const name of [...Object.keys(packages[''].dependencies), ...bundled]) add('', name);
  return [...found].sort();
}

/** The hash of a package in the lock file, which npm verifies before it installs it (Subresource Integrity, 3.5). */
function hashOf(integrity) {
  const [algorithm, base64] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(base64, 'base64').toString('hex'),
  };
}

function component(key, { version, integrity, license, optional }) {
  if (integrity === undefined && !optional) throw new Error(`package-lock.json: ${key} has no integrity.`);
  const name = key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const [scope, bare] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${bare}@${version}`;
  return {
    type: 'library',
    'bom-ref': `${purl}#${key}`,
    ...(scope === undefined ? {} : { group: scope }),
    name: bare,
    version,
    purl,
    ...(optional ? { scope: 'optional' } : {}),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  };
}

/** Returns the list of components. The same lock file gives the same list. */
export function listComponents() {
  const { name, version, license } = read('package.json');
  const { packages } = read('package-lock.json');
  const keys = shippedKeys(
    packages,
    bundledPackages.map((one) => one.name),
  );
  const digest = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  const serial = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': name, name, version, licenses: [{ expression: license }] },
    },
    components: keys.map((key) => component(key, packages[key])),
  };
}

if (process.argv[1] === import.meta.filename) {
  const text = `${JSON.stringify(listComponents(), null, 2)}\n`;
  const [file] = process.argv.slice(2);
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
}
