import fc from 'fast-check';
import { Validators } from '../../../../src/modules/content-validation';

const definitions = {
  Money: { type: 'object', required: ['amount'], properties: { amount: { type: 'integer', default: 1 } } },
  Tree: {
    type: 'object',
    properties: {
      money: { $ref: '#/$defs/Money' },
      trees: { type: 'array', items: { $ref: '#/$defs/Tree' } },
    },
    additionalProperties: false,
  },
  Odd: { if: { type: 'integer' }, then: { minimum: 3 }, else: { $ref: '#/$defs/Tree' } },
  Amount: { $ref: '#/$defs/Money/properties/amount' },
};
const validators = new Validators().withDefinitions(definitions);
const refersTo = (name: string, all: object = definitions) => ({
  type: 'object',
  properties: { it: { $ref: `#/$defs/${name}` } },
  $defs: all,
});
const pointers = (result: object): readonly string[] =>
  'errors' in result ? (result.errors as { pointer: string }[]).map(({ pointer }) => pointer) : [];

describe('definitions that several schemas share', () => {
  it.each<[keyof typeof definitions, unknown, readonly string[]]>([
    ['Money', { amount: 2 }, []],
    ['Money', {}, ['/it/amount']],
    ['Tree', { trees: [{ trees: [{ money: {} }] }] }, ['/it/trees/0/trees/0/money/amount']],
    ['Tree', { trees: [{ colour: 1 }] }, ['/it/trees/0/colour']],
    ['Odd', 2, ['/it']],
    ['Odd', { money: { amount: 'x' } }, ['/it/money/amount']],
    ['Amount', 1.5, ['/it']],
  ])('validate: %s of %j', (name, it, expected) => {
    expect(pointers(validators.asIs(refersTo(name))({ it }))).toEqual(expected);
  });

  it('do not replace different definitions of the same name', () => {
    const others = { ...definitions, Money: { type: 'string' } };
    expect(pointers(validators.asIs(refersTo('Money', others))({ it: 'five' }))).toEqual([]);
    expect(pointers(validators.asIs(refersTo('Tree', others))({ it: { money: 'five' } }))).toEqual([]);
    expect(pointers(validators.asIs(refersTo('Money'))({ it: 'five' }))).toEqual(['/it']);
  });

  it('add defaults, remove unknown members and coerce form values', () => {
    const schema = refersTo('Tree');
    expect(validators.forBody(schema)({ it: { money: {} } })).toEqual({
      value: { it: { money: { amount: 1 } } },
    });
    expect(validators.forBody(schema, 'drop')({ it: { colour: 1, trees: [{ size: 2 }] } })).toEqual({
      value: { it: { trees: [{}] } },
    });
    const amounts = { Amount: { type: 'integer' }, Amounts: { type: 'array', items: { type: 'number' } } };
    const forms = new Validators().withDefinitions(amounts);
    const form = {
      properties: { one: { $ref: '#/$defs/Amount' }, all: { $ref: '#/$defs/Amounts' } },
      $defs: amounts,
    };
    expect(forms.forForm(form)({ one: '3', all: '4.5' })).toEqual({ value: { one: 3, all: [4.5] } });
    expect(pointers(forms.forForm(form)({ one: '0x3' }))).toEqual(['/one']);
    expect(pointers(forms.forForm(form)({ one: '9007199254740993' }))).toEqual(['/one']);
  });

  it('are verified in advance, and named in errors', () => {
    const wrong = { Fine: { items: { $ref: '#/$defs/Wrong' } }, Wrong: { minimum: 'low' } };
    expect(() => new Validators().withDefinitions(wrong)).toThrow(
      'the schema "Wrong" cannot be used: minimum is "low"; it must be number',
    );
    expect(() => new Validators().withDefinitions({ Lost: { $ref: '#/$defs/Nothing' } })).toThrow(
      /the schema "Lost" cannot be used: can't resolve reference/,
    );
  });

  it('may form a reference chain of any length', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => {
        const next = { $ref: `#/$defs/S${(at + 1) % 5_000}` };
        return [`S${at}`, { type: 'object', properties: { next, list: { type: 'array', items: next } } }];
      }),
    );
    const check = new Validators().withDefinitions(chain).forBody(refersTo('S0', chain));
    expect(pointers(check({ it: { next: { list: [{}, { next: 5 }] } } }))).toEqual(['/it/next/list/1/next']);
    expect(pointers(check({ it: { next: { list: [{}, { next: {} }] } } }))).toEqual([]);
  });

  it('report evaluated members to unevaluatedProperties', () => {
    const parts = {
      Named: { properties: { name: { type: 'string' } } },
      Aged: { allOf: [{ $ref: '#/$defs/Named' }], properties: { age: { type: 'integer' } } },
    };
    const schema = {
      type: 'object',
      properties: { it: { $ref: '#/$defs/Aged', unevaluatedProperties: false } },
      $defs: parts,
    };
    const check = new Validators().withDefinitions(parts).asIs(schema);
    expect(pointers(check({ it: { name: 'Ada', age: 36 } }))).toEqual([]);
    expect(pointers(check({ it: { name: 'Ada', born: 1815 } }))).toEqual(['/it/born']);
    expect(new Set(pointers(check({ it: { name: 1 } })))).toEqual(new Set(['/it/name']));
  });

  it('have the results of separately compiled copies', () => {
    const alone = new Validators();
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.record(
        {
          money: fc.oneof(
            fc.constant({}),
            fc.record({ amount: fc.oneof(fc.integer(), fc.string()) }),
            fc.integer(),
          ),
          trees: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 2 })),
          other: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    }));
    for (const name of ['Tree', 'Odd']) {
      const schema = refersTo(name);
      const [shared, own] = [validators.asIs(schema), alone.asIs(schema)];
      fc.assert(fc.property(tree, (it) => expect(shared({ it })).toEqual(own({ it }))));
    }
  });
});
