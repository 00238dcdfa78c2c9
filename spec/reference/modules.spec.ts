import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Module } from '../../src/framework';
import { loadBuiltIn } from '../../src/framework/application/modules/import-module';
import { builtInModules } from '../../src/modules';
import { ROOT } from '../factories/platform';

describe('the table of modules in the configuration reference', () => {
  it('has every built-in module with its sections', async () => {
    const text = readFileSync(path.join(ROOT, 'docs/reference/configuration.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([\w-]+)` +\|[^|]*\| ([^|]*)\|[^|]*\|$/gm)];
    const listed = Object.fromEntries(
      rows.map(([, name = '', sections = '']) => [name, sections.match(/[\w-]+/g) ?? []]),
    );
    const names = Object.keys(builtInModules).filter((name) => name !== 'atlas');
    const modules = await Promise.all(names.map((name) => loadBuiltIn(name, builtInModules)));
    expect(listed).toEqual(Object.fromEntries(modules.map((one) => [one.name, sectionsOf(one)])));
  });
});

function sectionsOf({ schemas = {} }: Module): readonly string[] {
  return Object.keys(typeof schemas === 'function' ? schemas([]) : schemas);
}
