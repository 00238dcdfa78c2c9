import { Type } from '../../../src/platform';
import { Validators } from '../../../src/modules/content-validation';
import { growthOf } from '../../factories/measure/cpu-time';

describe('a repeated query parameter', () => {
  const validate = new Validators().forQuery(
    Type.Object(
      {
        n: Type.Optional(Type.Number({ minimum: 3 })),
        text: Type.Optional(Type.String({ minLength: 2 })),
        color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('blue')])),
        list: Type.Optional(Type.Array(Type.Integer(), { maxItems: 2 })),
        either: Type.Optional(Type.Union([Type.Array(Type.Integer()), Type.Integer()])),
      },
      { additionalProperties: false },
    ),
  );
  const messages = (query: string): unknown => {
    const checked = validate(new URLSearchParams(query));
    return 'errors' in checked ? checked.errors.map(({ pointer, message }) => [pointer, message]) : [];
  };

  it.each([
    ['n=1&n=2', [['/n', 'is given twice, but has a single value']]],
    ['text=ab&text=ab&text=ab', [['/text', 'is given 3 times, but has a single value']]],
    ['color=red&color=red', [['/color', 'is given twice, but has a single value']]],
  ])('with a single value is reported as repeated: %s', (query, expected) => {
    expect(messages(query)).toEqual(expected);
  });

  it.each(['list=x&list=y', 'list=1&list=2&list=3', 'either=x&either=y', 'n=1', 'other=1&other=2'])(
    'is not reported as repeated if that is not the error: %s',
    (query) => {
      expect(messages(query)).not.toEqual([]);
      expect(JSON.stringify(messages(query))).not.toContain('is given');
    },
  );

  it('is reported alike as a field of a form', () => {
    const schema = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        list: { type: 'array', enum: [['a']], items: { type: 'string' } },
      },
    };
    const form = new Validators().forForm(schema);
    expect(form({ text: ['a', 'b'], list: 'b' })).toMatchObject({
      errors: [
        { pointer: '/list', keyword: 'enum' },
        { pointer: '/text', keyword: 'maxItems', message: 'is given twice, but has a single value' },
      ],
    });
  });

  it('takes linear time with many others', () => {
    const queries = new Map(
      [500, 8_000].map((size) => [
        size,
        new URLSearchParams(Array.from({ length: size }, (_, at) => [`other${at}`, ''])),
      ]),
    );
    const lenient = new Validators().forQuery(
      Type.Object({ list: Type.Optional(Type.Array(Type.Integer())) }),
    );
    expect(growthOf((size) => lenient(queries.get(size)), 500, 8_000)).toBeLessThan(64);
  });

  it('is accepted if it is a list', () => {
    expect(messages('list=1&list=2')).toEqual([]);
  });
});
