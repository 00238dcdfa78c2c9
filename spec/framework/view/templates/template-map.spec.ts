import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationError, TemplateMap } from '../../../../src/framework';

const root = mkdtempSync(path.join(tmpdir(), 'templates-'));
writeFileSync(path.join(root, 'show.njk'), '');
afterAll(() => rmSync(root, { recursive: true }));

describe('The template map', () => {
  it('resolves relative files from the root of the project, and keeps absolute ones', () => {
    const absolute = path.join(root, 'show.njk');
    const map = new TemplateMap({ a: 'show.njk', b: absolute }, root, () => 'local.json');
    expect([map.fileOf('a'), map.fileOf('b')]).toEqual([absolute, absolute]);
    expect([map.has('a'), map.has('c')]).toEqual([true, false]);
    expect(map.names).toEqual(['a', 'b']);
  });

  it('rejects a file that does not exist, and reports where it is configured', () => {
    const where = (name: string): string => `local.json:3:5 (${name})`;
    expect(() => new TemplateMap({ 'shop/show': 'none.njk' }, root, where)).toThrow(
      new ConfigurationError(
        `local.json:3:5 (shop/show): the template "shop/show" is mapped to ${path.join(root, 'none.njk')}, which does not exist.`,
      ),
    );
  });

  it('lists the available templates for an unknown name', () => {
    const map = new TemplateMap({ a: 'show.njk' }, root, () => '');
    expect(() => map.fileOf('toString')).toThrow(
      'view_manager.template_map has no template "toString". Available: a.',
    );
  });
});
