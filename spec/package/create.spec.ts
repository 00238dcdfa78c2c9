import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../factories/platform';
import { run } from '../factories/processes/processes';

jest.setTimeout(120_000);

const PACKAGE = path.join(ROOT, 'packages/create');

interface Manifest {
  readonly version: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

describe('create-apidesc-platform', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'create-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has the version of the platform, and depends on exactly this version', () => {
    const { version, engines } = manifestOf(ROOT);
    expect(manifestOf(PACKAGE)).toMatchObject({
      version,
      engines,
      dependencies: { 'apidesc-platform': version },
    });
  });

  it('creates a project, when it is packed and installed next to the platform', async () => {
    const packed = execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const modules = path.join(folder, 'node_modules');
    const installed = path.join(modules, 'create-apidesc-platform');
    mkdirSync(installed, { recursive: true });
    symlinkSync(ROOT, path.join(modules, 'apidesc-platform'));
    execFileSync('tar', ['-xzf', path.join(folder, packed), '--strip-components=1', '-C', installed]);
    const [command = ''] = Object.values(manifestOf(installed).bin);
    const create = (...words: readonly string[]) =>
      run('sh', [
        '-c',
        'cd "$0" && exec "$@"',
        folder,
        process.execPath,
        path.join(installed, command),
        ...words,
      ]);
    const { code, output } = await create('my-api', '--javascript', '--database', 'sqlite');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(existsSync(path.join(folder, 'my-api/src/shop.js'))).toBe(true);
    expect(existsSync(path.join(folder, 'my-api/config/autoload/global.json'))).toBe(true);
    const again = await create('my-api');
    expect(again.code).toBe(1);
    expect(again.output).toContain('is not empty');
  });
});
