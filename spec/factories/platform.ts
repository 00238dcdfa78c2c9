import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject, Module } from '../../src/framework';
import { startPlatform, type RunningPlatform } from '../../src/start';
import { MemoryLog } from '../../src/testing';
import { copyAtlasDatabase, keepAtlasDatabase } from './database/atlas-database';
import { ROOT } from './repository';

export { MemoryLog, ROOT };

/** All built-in modules. */
export const ALL_MODULES = [
  'content-negotiation',
  'content-validation',
  'hal',
  'mvc-auth',
  'hosting',
  'documentation',
  'documentation-apidesc',
  'documentation-formats',
  'operations',
  'atlas',
];

export interface TestProject {
  /** Names of built-in modules; defaults to all of them. */
  readonly modules?: readonly string[];
  /** Additional modules. */
  readonly extra?: readonly Module[];
  /** The content of `config/autoload/local.json`. */
  readonly local?: ConfigObject;
  /** Further files, by path from the project's root. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The build timeout in seconds. */
  readonly buildTimeout?: number;
}

/** A platform on a free port of 127.0.0.1, in a temporary project folder. */
export interface TestPlatform extends RunningPlatform {
  readonly root: string;
  readonly log: MemoryLog;
  /** `fetch` with a path below the platform's origin; does not follow redirects. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** Creates a project folder; the caller removes it. */
export function makeProject({ modules = ALL_MODULES, local = {}, files = {} }: TestProject = {}): string {
  const root = mkdtempSync(path.join(tmpdir(), 'platform-'));
  const all = {
    'config/application.json': JSON.stringify({ modules }),
    'config/autoload/local.json': JSON.stringify(local, null, 2),
    ...files,
  };
  if (modules.includes('atlas') && local['platform-db'] === undefined) copyAtlasDatabase(root);
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

/** Starts the platform in a temporary project. The access log is off by default. */
export async function startTestPlatform(project: TestProject = {}): Promise<TestPlatform> {
  const quiet = { 'platform-operations': { access_log: { enabled: false } } };
  const usesOperations = (project.modules ?? ALL_MODULES).includes('operations');
  const root = makeProject({ ...project, local: { ...(usesOperations ? quiet : {}), ...project.local } });
  const log = new MemoryLog();
  try {
    const running = await startPlatform({
      root,
      log,
      environment: { PORT: '0', OPERATIONS_LISTEN: 'off' },
      ...(project.extra === undefined ? {} : { modules: project.extra }),
      ...(project.buildTimeout === undefined ? {} : { buildTimeout: project.buildTimeout }),
    });
    await keepAtlasDatabase(root);
    return {
      ...running,
      get application() {
        return running.application;
      },
      root,
      log,
      request: (to, init = {}) => fetch(running.origin + to, { redirect: 'manual', ...init }),
      stop: async () => {
        await running.stop({ idleGrace: 0 });
        rmSync(root, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The adapters of the sample configuration, for the user `guide` with the password `explore`. Its hash for Basic has the
 * lowest cost: verifying that of the sample file takes a fifth of a second of processor time.
 */
export const sampleAuthentication: ConfigObject = {
  'platform-mvc-auth': {
    authentication: {
      adapters: {
        'atlas-basic': {
          adapter: 'HttpAdapter',
          options: {
            accept_schemes: ['basic'],
            realm: 'Atlas',
            htpasswd: path.join(ROOT, 'spec/fixtures/sample.htpasswd'),
          },
        },
        'atlas-digest': {
          adapter: 'HttpAdapter',
          options: {
            accept_schemes: ['digest'],
            realm: 'Atlas',
            htdigest: path.join(ROOT, 'config/samples/sample.htdigest'),
            digest_domains: '',
            nonce_timeout: '3600',
          },
        },
      },
      map: { 'Atlas-v1': 'atlas-basic', 'Atlas-v2': 'atlas-digest' },
    },
  },
};
