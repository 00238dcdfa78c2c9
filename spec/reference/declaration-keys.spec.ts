import { readFileSync } from 'node:fs';
import path from 'node:path';
import { procedureSettings } from '../../src/modules/database/procedure/procedure-settings';
import { tableSettings } from '../../src/modules/database/service/declaration/table-settings';
import { apiKeys, versionKeys } from '../../src/modules/hosting/definition/checks/known-keys';
import { operationKeys, serviceKeys } from '../../src/modules/hosting/service-settings';
import { ROOT } from '../factories/platform';

/** The keys that the tables of the sections list, in their order. */
function listed(...sections: readonly string[]): readonly string[] {
  const text = readFileSync(path.join(ROOT, 'docs/reference/declarations.md'), 'utf8');
  return sections.flatMap((section) => {
    const [, tables = ''] = new RegExp(`^##+ ${section}\n([^]*?)(?=^##|$(?![^]))`, 'm').exec(text) ?? [];
    const cells = [...tables.matchAll(/^\| ([^|]*)\|/gm)].map(([, cell = '']) => cell);
    return cells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)/g)].map(([, key = '']) => key));
  });
}

describe('the declaration reference', () => {
  it.each([
    ['an API', ['API'], apiKeys],
    ['a version', ['Version'], versionKeys],
    ['a service', ['Service', 'REST service', 'RPC service'], serviceKeys],
    ['an operation', ['Operation'], operationKeys],
  ])('lists exactly the keys of %s', (_, sections, keys) => {
    expect([...listed(...sections)].sort()).toEqual([...keys].sort());
  });

  it.each([
    ['table', tableSettings],
    ['procedure', procedureSettings],
  ])('lists the keys that a service of the kind %s adds', (kind, settings) => {
    const section = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} service`;
    expect(listed(section)).toEqual(expect.arrayContaining(Object.keys(settings)));
  });
});
