import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './factories/platform';
import { CLI, run } from './factories/processes/processes';

const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

describe('the command apidesc-platform', () => {
  it('prints the version of the platform with --version', async () => {
    expect(await run(process.execPath, [CLI, '--version'])).toEqual({ code: 0, output: `${version}\n` });
  });

  it('leaves --version to the subcommands that have an option of that name', async () => {
    const args = ['import', 'openapi', 'pets.json', '--api', 'Pets', '--version', '0'];
    expect(await run(process.execPath, [CLI, ...args])).toEqual({
      code: 1,
      output: 'The version "0" must be an integer from 1 to 9007199254740991.\n',
    });
  });

  it('names itself, and lists its subcommands in the help', async () => {
    const { code, output } = await run(process.execPath, [CLI, '--help']);
    expect(code).toBe(0);
    expect(output).toMatch(/^Usage: apidesc-platform \[options\] \[command\]\n/);
    for (const name of [
      'htdigest',
      'htpasswd',
      'config',
      'docs',
      'import',
      'adapter',
      'selector',
      'revision',
    ])
      expect(output).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it('refuses the help of an unknown command, and suggests a similar one', async () => {
    const { code, output } = await run(process.execPath, [CLI, 'help', 'imprt']);
    expect(code).toBe(1);
    expect(output).toMatch(/^error: unknown command 'imprt'\n\(Did you mean import\?\)\n/);
    const below = await run(process.execPath, [CLI, 'import', 'help', 'opnapi']);
    expect(below.code).toBe(1);
    expect(below.output).toMatch(/^error: unknown command 'opnapi'\n\(Did you mean openapi\?\)\n/);
    const known = await run(process.execPath, [CLI, 'help', 'import']);
    expect(known.code).toBe(0);
    expect(known.output).toMatch(/^Usage: apidesc-platform import /);
  });

  it('explains in one sentence how to create a project, in a folder without one', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cli-'));
    try {
      const call = () => run('sh', ['-c', 'cd "$0" && exec "$1" "$2"', folder, process.execPath, CLI]);
      const { code, output } = await call();
      expect(code).toBe(1);
      expect(output).toMatch(
        /^This folder contains no project: create one with: npx apidesc-platform init my-api$/m,
      );
      mkdirSync(path.join(folder, 'config'));
      writeFileSync(path.join(folder, 'config/application.json'), '{"modules": []}');
      expect((await call()).output).not.toContain('no project');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
