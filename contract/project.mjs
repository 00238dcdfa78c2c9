// The verified APIs: the sample API and one that uses every feature, served by a separate process.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shop } from './fixture/shop.mjs';

export const root = path.resolve(import.meta.dirname, '..');

/** The versions of the APIs, and the scopes that are fetched besides the whole. */
export const SCOPES = [
  '',
  '/Atlas-v1',
  '/Atlas-v2',
  '/Atlas-v1/Country',
  '/Atlas-v2/Country',
  '/Atlas-v2/Distance',
  '/Atlas-v2/Visit',
  '/Every.Feature-v1',
  '/Every.Feature-v2',
  '/Every.Feature-v10',
  '/Every.Feature-v2/Archive',
  '/Every.Feature-v2/Book',
  '/Every.Feature-v2/Portrait',
  '/Every.Feature-v2/Feed',
  '/Every.Feature-v2/Ticker',
  '/Below-v1',
  '/Below-v1/Measure',
];

/** The API of table services, in a project of its own: the list above has no batches, which have no contact. */
export const SHOP_SCOPES = ['/Shop-v1', '/Shop-v1/Product'];

/** The user of the sample password files. */
export const USER = { name: 'guide', password: 'explore' };

const LOCAL = {
  'platform-operations': { access_log: { enabled: false } },
  'platform-mvc-auth': {
    authentication: {
      map: {
        'Every.Feature-v1': 'atlas-basic',
        'Every.Feature-v2': 'atlas-digest',
        'Every.Feature-v10': 'atlas-basic',
      },
    },
  },
};

/** Creates a project folder with the configuration of a fresh clone, and the API that uses every feature. */
function makeProject() {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  cpSync(path.join(root, 'config'), path.join(folder, 'config'), {
    recursive: true,
    filter: (file) => !/\.local\.(json|js)$|[/\\]local\.json$/.test(file),
  });
  const autoload = path.join(folder, 'config', 'autoload');
  cpSync(path.join(autoload, 'local.json.dist'), path.join(autoload, 'local.json'));
  writeFileSync(path.join(autoload, 'contract.local.json'), JSON.stringify(LOCAL));
  const modules = [
    'content-negotiation',
    'content-validation',
    'mvc-auth',
    'hosting',
    'documentation',
    'documentation-apidesc',
    'documentation-formats',
    'operations',
    'atlas',
    path.join(root, 'contract', 'fixture', 'every-feature.mjs'),
  ];
  writeFileSync(path.join(folder, 'config', 'application.json'), JSON.stringify({ modules }));
  return folder;
}

/** Creates a project folder with services over tables. */
function makeShop() {
  const folder = mkdtempSync(path.join(tmpdir(), 'contract-'));
  const autoload = path.join(folder, 'config', 'autoload');
  mkdirSync(autoload, { recursive: true });
  writeFileSync(path.join(autoload, 'shop.global.json'), JSON.stringify(shop(folder)));
  const modules = ['documentation-apidesc', 'documentation-formats', 'database'];
  writeFileSync(path.join(folder, 'config', 'application.json'), JSON.stringify({ modules }));
  return folder;
}

/**
 * Starts a process and waits until it prints its URL.
 * @param {string[]} args of node
 * @param {RegExp} address whose first group is the origin
 */
export async function startProcess(args, address) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', OPERATIONS_LISTEN: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  const origin = await new Promise((resolve, reject) => {
    const take = (part) => {
      output += part;
      const found = address.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    void ended.then(() => reject(new Error(`${args[0]} ended before it listened:\n${output}`)));
  });
  return {
    origin,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Starts the platform. */
export const startPlatform = () => start(makeProject());

/** Starts a platform with services over tables. */
export const startShop = () => start(makeShop());

async function start(folder) {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const platform = await startProcess(
      [path.join(root, 'dist', 'index.js'), '--root', folder],
      /^Documentation +(\S+)\/platform\/documentation$/m,
    );
    return {
      origin: platform.origin,
      async stop() {
        await platform.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The OpenAPI document of a scope, as text. */
export async function documentOf(origin, scope) {
  const answer = await fetch(`${origin}/platform/documentation${scope}`, {
    headers: { accept: 'application/vnd.oai.openapi+json' },
  });
  if (answer.status !== 200) throw new Error(`The documentation at "${scope}" responds ${answer.status}.`);
  return answer.text();
}
