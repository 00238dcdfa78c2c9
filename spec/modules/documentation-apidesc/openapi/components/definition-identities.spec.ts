import {
  DefinitionIdentities,
  definitionsOf,
} from '../../../../../src/modules/documentation-apidesc/openapi/components/definitions';

/** Counts look-ups. */
class Counted<Value> extends Map<string, Value> {
  lookUps = 0;

  override has(key: string): boolean {
    this.lookUps += 1;
    return super.has(key);
  }
}

/** Definitions that all lead to each other. */
const circle = (length: number) => ({
  $defs: Object.fromEntries(
    Array.from({ length }, (_, at) => [
      `S${at}`,
      { properties: { next: { $ref: `#/$defs/S${(at + 1) % length}` }, other: { $ref: '#/$defs/Shared' } } },
    ]),
  ),
});

const shared = new Map([['#/$defs/Shared', { name: 'Shared' }]]);

const identitiesOf = (length: number) => {
  const schema = circle(length);
  const definitions = new Counted(definitionsOf(schema, JSON.stringify(schema)));
  const identities = new DefinitionIdentities().of(definitions, shared);
  return { identities, lookUps: definitions.lookUps };
};

describe('the identities of definitions that refer to each other', () => {
  it('include all that each leads to', () => {
    const { identities } = identitiesOf(3);
    expect([...identities.keys()]).toEqual(['#/$defs/S0', '#/$defs/S1', '#/$defs/S2']);
    for (const identity of identities.values())
      expect(['S0', 'S1', 'S2', 'component Shared'].every((one) => identity.includes(one))).toBe(true);
    expect(new Set(identities.values()).size).toBe(3);
  });

  it('take look-ups in proportion to the number of definitions', () => {
    expect(identitiesOf(200).lookUps).toBeLessThan(3 * identitiesOf(100).lookUps);
  });
});
