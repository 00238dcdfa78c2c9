import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, objectOf } from '../../src/framework';
import { ROOT } from '../factories/platform';

const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

/** The paths of all values that a schema declares by name. */
function pathsIn(schema: unknown, at = ''): readonly string[] {
  const { properties, anyOf, oneOf, allOf } = objectOf(schema);
  const parts = [anyOf, oneOf, allOf].flatMap((one): readonly unknown[] => (Array.isArray(one) ? one : []));
  const members = [schema, ...parts].flatMap((part) => Object.entries(objectOf(objectOf(part).properties)));
  if (!isObject(properties) && members.length === 0) return [at];
  return members.flatMap(([key, member]) => pathsIn(member, at === '' ? key : `${at}.${key}`));
}

describe('the configuration reference', () => {
  it('has a row for every key of the configuration schema, or for the object that contains it', () => {
    const paths = pathsIn(JSON.parse(read('config/schema.json'))).filter((one) => one !== '$schema');
    const text = read('docs/reference/configuration.md').replace(/^## Modules\n[^]*?(?=^## )/m, '');
    const isListed = (key: string): boolean => text.includes(`\`${key}\``) || text.includes(`\`${key}.<`);
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((one) => !isListed(one) && !isListed(one.replace(/\.[^.]+$/, '')))).toEqual([]);
  });
});
