import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readLayers, type Layer } from '../../../../src/framework/config/layers/layer';
import type { Environment } from '../../../../src/framework/config/layers/environment';
import { makeProject } from '../../../factories/platform';

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function layersOf(
  files: Readonly<Record<string, unknown>>,
  environment: Environment = {},
): Promise<readonly Layer[]> {
  root = makeProject({
    files: Object.fromEntries(
      Object.entries(files).map(([name, value]) => [
        `config/autoload/${name}`,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  });
  const { layers, errors } = await readLayers(root, environment);
  expect(errors).toEqual([]);
  return layers;
}

describe('The layers of a project', () => {
  it('are global files, local files and the environment, files of one kind by name', async () => {
    const layers = await layersOf({
      'local.json': {},
      'z.local.json': {},
      'a.local.json': {},
      'b.global.json': {},
      'a.global.json': {},
      'global.json': {},
    });
    expect(layers.map(({ source }) => source)).toEqual([
      'config/autoload/global.json',
      'config/autoload/a.global.json',
      'config/autoload/b.global.json',
      'config/autoload/local.json',
      'config/autoload/a.local.json',
      'config/autoload/z.local.json',
      'the environment',
    ]);
  });

  it('do not include files with other names', async () => {
    const layers = await layersOf({
      'local.json.dist': 'not JSON',
      'mylocal.json': 'not JSON',
      'global.yaml': 'not JSON',
      'x.global.json.bak': 'not JSON',
      '.x.local.json': 'not JSON',
      '._x.global.js': 'not JavaScript',
    });
    expect(layers.map(({ source }) => source)).toEqual(['config/autoload/local.json', 'the environment']);
  });

  it('include a warning for each file that looks like one, for any local.json', async () => {
    root = makeProject({ files: { 'config/autoload/shop.json': '{}', 'config/autoload/shop.md': '' } });
    for (const local of [undefined, '{}', null]) {
      const { layers, warnings } = await readLayers(root, {}, { local });
      expect(layers.map(({ source }) => source)).not.toContain('config/autoload/shop.json');
      expect(warnings).toEqual([expect.stringMatching(/^config\/autoload\/shop\.json is not read/)]);
    }
  });

  it('are only the environment in a project without files', async () => {
    root = makeProject();
    rmSync(`${root}/config/autoload`, { recursive: true });
    const { layers } = await readLayers(root, { PORT: '81' });
    expect(layers).toEqual([{ source: 'the environment', tree: { server: { port: 81 } } }]);
  });

  it('do not contain $schema, which is for editors', async () => {
    const [layer] = await layersOf({ 'global.json': { $schema: '../schema.json', a: { $schema: 'kept' } } });
    expect(layer?.tree).toEqual({ a: { $schema: 'kept' } });
  });

  it('have environment variables replaced', async () => {
    const [layer] = await layersOf({ 'global.json': { a: '${A}' } }, { A: 'b' });
    expect(layer?.tree).toEqual({ a: 'b' });
  });

  it('locate each value by line and column', async () => {
    const [layer] = await layersOf({ 'global.json': '{\n  "a": {\n    "b": [1,\n  2]\n  }\n}' });
    expect(layer?.locate?.(['a'])).toBe('2:3');
    expect(layer?.locate?.(['a', 'b'])).toBe('3:5');
    expect(layer?.locate?.(['a', 'b', 1])).toBe('4:3');
    expect(layer?.locate?.(['a', 'none', 'at', 'all'])).toBe('2:3');
  });

  it('cannot be read from a folder with the name of a file', async () => {
    root = makeProject({ files: { 'config/autoload/global.json/x': '' } });
    expect((await readLayers(root, {})).errors).toEqual([
      'config/autoload/global.json cannot be read (EISDIR). It is a folder: move it away, and create a file.',
    ]);
  });

  it('cannot be read from a link to a missing file', async () => {
    root = makeProject();
    for (const extension of ['json', 'js']) {
      symlinkSync('missing', `${root}/config/autoload/secrets.local.${extension}`);
      // A lock of Emacs.
      symlinkSync('ann@host.1:1', `${root}/config/autoload/.#local.global.${extension}`);
    }
    expect((await readLayers(root, {})).errors).toEqual(
      ['js', 'json'].map(
        (extension) =>
          `config/autoload/secrets.local.${extension} is a link to a file that does not exist. Restore that file, or remove the link.`,
      ),
    );
  });

  it('are empty without a folder, and an error for an unreadable folder', async () => {
    root = makeProject();
    rmSync(`${root}/config/autoload`, { recursive: true });
    expect((await readLayers(root, {})).layers).toHaveLength(1);
    writeFileSync(`${root}/config/autoload`, 'a file in its place');
    await expect(readLayers(root, {})).rejects.toThrow(/cannot be read \(ENOTDIR\)\. Make it readable/);
  });
});
