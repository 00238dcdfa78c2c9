import { rmSync, writeFileSync } from 'node:fs';
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
  it('rise from global over local files to the environment, files of one kind by name', async () => {
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

  it('leave out files of other names', async () => {
    const layers = await layersOf({
      'local.json.dist': 'not JSON',
      'mylocal.json': 'not JSON',
      'global.yaml': 'not JSON',
      'x.global.json.bak': 'not JSON',
    });
    expect(layers.map(({ source }) => source)).toEqual(['config/autoload/local.json', 'the environment']);
  });

  it('come with a warning of each file that looks like one, whatever local.json would be', async () => {
    root = makeProject({ files: { 'config/autoload/shop.json': '{}', 'config/autoload/shop.md': '' } });
    for (const local of [undefined, '{}', null]) {
      const { layers, warnings } = await readLayers(root, {}, { local });
      expect(layers.map(({ source }) => source)).not.toContain('config/autoload/shop.json');
      expect(warnings).toEqual([expect.stringMatching(/^config\/autoload\/shop\.json is not read/)]);
    }
  });

  it('are the environment alone in a project without files', async () => {
    root = makeProject();
    rmSync(`${root}/config/autoload`, { recursive: true });
    const { layers } = await readLayers(root, { PORT: '81' });
    expect(layers).toEqual([{ source: 'the environment', tree: { server: { port: 81 } } }]);
  });

  it('hold no $schema, which is for editors', async () => {
    const [layer] = await layersOf({ 'global.json': { $schema: '../schema.json', a: { $schema: 'kept' } } });
    expect(layer?.tree).toEqual({ a: { $schema: 'kept' } });
  });

  it('have the environment variables in their values', async () => {
    const [layer] = await layersOf({ 'global.json': { a: '${A}' } }, { A: 'b' });
    expect(layer?.tree).toEqual({ a: 'b' });
  });

  it('tell the line and column of each value', async () => {
    const [layer] = await layersOf({ 'global.json': '{\n  "a": {\n    "b": [1,\n  2]\n  }\n}' });
    expect(layer?.locate?.(['a'])).toBe('2:3');
    expect(layer?.locate?.(['a', 'b'])).toBe('3:5');
    expect(layer?.locate?.(['a', 'b', 1])).toBe('4:3');
    expect(layer?.locate?.(['a', 'none', 'at', 'all'])).toBe('2:3');
  });

  it('cannot be read from a file that is a folder', async () => {
    root = makeProject({ files: { 'config/autoload/global.json/x': '' } });
    expect((await readLayers(root, {})).errors).toEqual([
      'config/autoload/global.json cannot be read (EISDIR). A folder has its name: move the folder away.',
    ]);
  });

  it('are none where there is no folder, and an error where it cannot be read: nothing would look configured', async () => {
    root = makeProject();
    rmSync(`${root}/config/autoload`, { recursive: true });
    expect((await readLayers(root, {})).layers).toHaveLength(1);
    writeFileSync(`${root}/config/autoload`, 'a file in its place');
    await expect(readLayers(root, {})).rejects.toThrow(/cannot be read \(ENOTDIR\)\. Make it readable/);
  });
});
