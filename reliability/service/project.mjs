// A project with every feature: the sample API with Basic and Digest over SQLite, documentation in all formats, admin
// pages, and an API for load.
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** The user of the sample password files, and the administrator. */
export const GUIDE = { username: 'guide', password: 'explore' };

const MODULES = [
  'content-negotiation',
  'content-validation',
  'hal',
  'mvc-auth',
  'hosting',
  'database',
  'documentation',
  'documentation-apidesc',
  'documentation-formats',
  'operations',
  'admin',
  'atlas',
  './load-api.mjs',
];

const sample = (name) => path.join(root, 'config/samples', name);

const adapter = (scheme, options) => ({
  adapter: 'HttpAdapter',
  options: { accept_schemes: [scheme], realm: 'Atlas', ...options },
});

/** Options of the Digest adapter. */
const digestOptions = (nonceTimeout) => ({
  htdigest: sample('sample.htdigest'),
  digest_domains: '',
  nonce_timeout: String(nonceTimeout),
});

/**
 * The configuration of `config/autoload/local.json`.
 * @param {{ nonceTimeout?: number, more?: Record<string, object> }} options `nonceTimeout` in seconds; `more`: sections
 */
export const configuration = ({ nonceTimeout = 3600, more = {} } = {}) => ({
  'platform-operations': { access_log: { enabled: true, file: 'data/access.log' } },
  ...more,
  'platform-mvc-auth': {
    authentication: {
      adapters: {
        'atlas-basic': adapter('basic', { htpasswd: sample('sample.htpasswd') }),
        'atlas-digest': adapter('digest', digestOptions(nonceTimeout)),
      },
      map: { 'Atlas-v1': 'atlas-basic', 'Atlas-v2': 'atlas-digest' },
    },
    ...more['platform-mvc-auth'],
  },
});

/** Creates a project in a temporary folder. @param options `modules`: further ones, and those of {@link configuration} @returns its path */
export function makeProject({ modules = [], ...options } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'reliability-'));
  for (const name of ['config/autoload', 'data', 'node_modules'])
    mkdirSync(path.join(folder, name), { recursive: true });
  symlinkSync(root, path.join(folder, 'node_modules/apidesc-platform'));
  copyFileSync(path.join(import.meta.dirname, 'load-api.mjs'), path.join(folder, 'load-api.mjs'));
  copyFileSync(sample('sample.htpasswd'), path.join(folder, 'data/administrators.htpasswd'));
  writeFileSync(
    path.join(folder, 'config/application.json'),
    JSON.stringify({ modules: [...modules, ...MODULES] }),
  );
  writeLocal(folder, JSON.stringify(configuration(options), null, 2));
  return folder;
}

/** Writes `local.json`, as an operator does. */
export function writeLocal(folder, text) {
  writeFileSync(path.join(folder, 'config/autoload/local.json'), text);
}
