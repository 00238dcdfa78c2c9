import { Type } from '../../../../src/platform';
import { Validators } from '../../../../src/modules/content-validation';
import { requestSchemas } from '../../../../src/modules/hosting/members/schema-variants';
import { growthOf } from '../../../factories/measure/cpu-time';

const text = { type: 'string' };
const readOnly = { ...text, readOnly: true };
const numbered = (count: number, letter = 'm') => Array.from({ length: count }, (_, at) => `${letter}${at}`);
const membersOf = (names: readonly string[], member: unknown): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, member]));
const refersTo = (name: string) => ({ $ref: `#/$defs/${name}` });

const requestsOf = (schema: object) =>
  requestSchemas(Type.Unsafe<object>(schema), { fillsDefaults: true, readOnlyMembers: 'ignore' });

/** Many schemas that extend the same one, of which each declares another member of it to be read-only. */
function extensions(count: number) {
  const names = numbered(count);
  const Base = { type: 'object', properties: membersOf(names, text), required: names };
  const extended = names.map((name): [string, unknown] => [
    `with_${name}`,
    { allOf: [refersTo('Base'), { properties: { [name]: readOnly } }] },
  ]);
  const properties = Object.fromEntries(names.map((name) => [name, refersTo(`with_${name}`)]));
  return { type: 'object', properties, $defs: { Base, ...Object.fromEntries(extended) } };
}

it('Each of many schemas that extend the same one requires what it does not declare to be read-only', () => {
  const names = numbered(40);
  const { validated } = requestsOf(extensions(names.length));
  const validate = new Validators().forBody(validated);
  for (const name of names) {
    const others = membersOf(
      names.filter((one) => one !== name),
      '',
    );
    expect(validate({ [name]: others })).toEqual({ value: { [name]: others } });
    const { [name === 'm0' ? 'm1' : 'm0']: _, ...fewer } = others;
    expect(validate({ [name]: fewer })).toHaveProperty('errors');
  }
});

it('A chain of schemas that each declare another member to be read-only has no more definitions per schema if it is longer', () => {
  const definitionsOf = (length: number): number => {
    const names = numbered(length);
    const chain = names.map((name, at): [string, unknown] => [
      `Level${at + 1}`,
      { allOf: [refersTo(`Level${at}`), { properties: { [name]: readOnly } }] },
    ]);
    const Level0 = { type: 'object', properties: membersOf(names, text), required: names };
    const $defs = { Level0, ...Object.fromEntries(chain) };
    const properties = Object.fromEntries(Object.keys($defs).map((name) => [name, refersTo(name)]));
    return Object.keys(requestsOf({ properties, $defs }).documented.$defs as object).length;
  };
  expect(definitionsOf(120)).toBeLessThan(3 * definitionsOf(60));
});

it('References to a schema with many members are rewritten in linear time', () => {
  const requests = (size: number) =>
    requestsOf({
      properties: membersOf(numbered(size, 'r'), refersTo('Large')),
      $defs: { Large: { properties: { ...membersOf(numbered(size), text), id: readOnly } } },
    });
  expect(growthOf(requests, 100, 1_000)).toBeLessThan(40);
});
