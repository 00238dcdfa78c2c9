import fc from 'fast-check';
import { Validators } from '../../../src/modules/content-validation';
import { Type } from '../../../src/platform';

const validators = new Validators();

describe('a query validator', () => {
  it('returns text parameters unchanged', () => {
    const validate = validators.forQuery(Type.Record(Type.String(), Type.String()));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (query) => {
        fc.pre(!Object.hasOwn(query, '__proto__'));
        const sent = new URLSearchParams(query);
        expect(validate(sent)).toEqual({ value: Object.fromEntries(sent) });
      }),
    );
  });

  it('converts the text of a number to that number', () => {
    const validate = validators.forQuery(Type.Object({ n: Type.Number() }));
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        const checked = validate(new URLSearchParams({ n: String(n) }));
        // Minus zero is written as "0".
        expect(checked).toEqual({ value: { n: Number(String(n)) } });
      }),
    );
  });

  it('rejects text that is not a number', () => {
    const validate = validators.forQuery(Type.Object({ n: Type.Integer() }));
    fc.assert(
      fc.property(fc.stringMatching(/^ *[a-z][a-z ]*$/), (text) => {
        expect(validate(new URLSearchParams({ n: text }))).toHaveProperty('errors');
      }),
    );
  });
});

describe('a number in a query', () => {
  const schema = Type.Object({
    n: Type.Optional(Type.Number()),
    list: Type.Optional(Type.Array(Type.Integer())),
    either: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    text: Type.Optional(Type.String()),
  });
  const validate = validators.forQuery(schema);

  it.each([' ', '%20', '0x10', ' 5', '5%20', '0b1', '%0A', '.5', 'Infinity', '1e', '%D9%A3'])(
    'cannot be %j',
    (text) => {
      for (const name of ['n', 'list', 'either']) {
        expect(validate(new URLSearchParams(`${name}=${text}`))).toHaveProperty('errors');
      }
      expect(validate(new URLSearchParams(`list=1&list=${text}`))).toHaveProperty('errors');
      expect(validate(new URLSearchParams(`text=${text}`))).toHaveProperty('value');
    },
  );

  it.each([
    ['5', 5],
    ['-0.5', -0.5],
    ['1e3', 1000],
    ['%2B7', 7],
    ['007', 7],
  ])('may be %j', (text, n) => {
    expect(validate(new URLSearchParams(`n=${text}`))).toEqual({ value: { n } });
  });
});

describe('a body validator', () => {
  const item = Type.Object({
    'a/b~c': Type.Optional(Type.Object({ n: Type.Number() })),
    list: Type.Optional(
      Type.Array(Type.Object({ kind: Type.Union([Type.Literal('x'), Type.Literal('y')]) })),
    ),
  });

  it('does not coerce types', () => {
    const validate = validators.forBody(Type.Object({ n: Type.Number() }));
    expect(validate({ n: '1' })).toEqual({
      errors: [{ pointer: '/n', keyword: 'type', message: 'must be number' }],
    });
  });

  it('reports escaped JSON Pointers', () => {
    expect(validators.forBody(item)({ 'a/b~c': { n: 'x' } })).toEqual({
      errors: [{ pointer: '/a~1b~0c/n', keyword: 'type', message: 'must be number' }],
    });
    expect(validators.forBody(item)({ list: [{ kind: 'x' }, { kind: 'z' }] })).toEqual({
      errors: expect.arrayContaining([expect.objectContaining({ pointer: '/list/1/kind' })]) as unknown,
    });
  });

  it('lists the values of an enumeration', () => {
    const validate = validators.forBody({ enum: ['left', 2, null] });
    expect(validate('up')).toEqual({
      errors: [{ pointer: '', keyword: 'enum', message: 'must be one of: left, 2, null' }],
    });
  });

  it('reports the value of const, and several matches of oneOf', () => {
    const only = validators.forBody({ const: { kind: 'cat' } });
    expect(only('dog')).toEqual({
      errors: [{ pointer: '', keyword: 'const', message: 'must be {"kind":"cat"}' }],
    });
    const one = validators.forBody({ oneOf: [{ type: 'object' }, { required: [] }] });
    expect(one({})).toEqual({
      errors: [{ pointer: '', keyword: 'oneOf', message: 'matches more than one of the schemas in oneOf' }],
    });
  });

  it('adds defaults to bodies, but not to patches', () => {
    const schema = Type.Object({
      n: Type.Optional(Type.Number({ default: 3 })),
      m: Type.Optional(Type.Null()),
    });
    expect(validators.forBody(schema)({})).toEqual({ value: { n: 3 } });
    expect(validators.forPatch(schema)({ m: null })).toEqual({ value: { m: null } });
  });

  it.each([
    ['date', '2025-02-28', '2025-02-29'],
    ['date-time', '2025-02-28T10:00:00Z', '2025-02-28 at ten'],
    ['email', 'ada@example.org', 'ada'],
    ['uuid', '6f0d1c1e-9f5c-4a39-8c0f-0d2a9c1f7b11', '6f0d1c1e'],
    ['uri', 'https://example.org/', 'example.org/%'],
    ['ipv4', '127.0.0.1', '127.0.0.256'],
  ])('validates the format %s', (format, right, wrong) => {
    const validate = validators.forBody(Type.String({ format }));
    expect(validate(right)).toEqual({ value: right });
    expect(validate(wrong)).toEqual({ errors: [expect.objectContaining({ keyword: 'format' })] });
  });

  it('supports recursive schemas, used repeatedly and within others', () => {
    const tree = Type.Recursive((This) => Type.Object({ id: Type.String(), kids: Type.Array(This) }));
    const own = new Validators();
    for (let times = 0; times < 2; times++) {
      expect(own.forBody(Type.Array(tree))([{ id: 'a', kids: [{}] }])).toMatchObject({
        errors: [{ pointer: '/0/kids/0/id' }, { pointer: '/0/kids/0/kids' }],
      });
      expect(own.forBody(tree)({ id: 'a', kids: [] })).toHaveProperty('value');
      expect(own.forBody(Type.Object({ tree }))({})).toHaveProperty('errors');
    }
  });

  it('rejects an invalid schema', () => {
    expect(() => validators.forBody({ type: 'nonsense' })).toThrow();
    expect(() => validators.forQuery({ properties: 7 })).toThrow();
  });

  it.each([
    ['an unknown type', { type: 'nonsense' }],
    ['a reference to nothing', { $ref: '#/$defs/nothing' }],
    ['an invalid pattern', { type: 'string', pattern: '(' }],
  ])('rejects a query with %s, within a union or not, at once', (_, part) => {
    const choice = { anyOf: [{ type: 'integer' }, { const: 'all' }] };
    const outside = { type: 'object', properties: { choice, part } };
    const within = { type: 'object', properties: { choice: { anyOf: [...choice.anyOf, part] } } };
    for (const schema of [outside, within]) {
      expect(() => validators.forQuery(schema)).toThrow();
      expect(() => validators.forForm(schema)).toThrow();
    }
  });
});

describe('a number that overflows', () => {
  it('is rejected, because JSON cannot represent it', () => {
    for (const type of [Type.Number(), Type.Integer()]) {
      const validate = validators.forBody(Type.Object({ n: type }));
      expect(validate(JSON.parse('{"n":1e400}'))).toMatchObject({
        errors: [{ pointer: '/n', keyword: 'type' }],
      });
      expect(validate({ n: 1 })).toEqual({ value: { n: 1 } });
    }
  });
});

describe('a query without parameters', () => {
  const none = new URLSearchParams();

  it('is valid if nothing is required, and gets the defaults', () => {
    const optional = { a: Type.Optional(Type.Integer()), b: Type.Optional(Type.Array(Type.String())) };
    expect(validators.forQuery(Type.Object(optional))(none)).toEqual({ value: {} });
    const standard = Type.Object({ ...optional, page: Type.Optional(Type.Integer({ default: 1 })) });
    expect(validators.forQuery(standard)(none)).toEqual({ value: { page: 1 } });
  });

  it('is invalid if a parameter or a minimum of members is required', () => {
    expect(validators.forQuery(Type.Object({ a: Type.Integer() }))(none)).toHaveProperty('errors');
    expect(validators.forQuery(Type.Object({}, { minProperties: 1 }))(none)).toHaveProperty('errors');
  });

  it('returns a new object for each request', () => {
    const validate = validators.forQuery(Type.Object({}));
    const [one, other] = [validate(none), validate(none)];
    expect(one).toEqual(other);
    expect('value' in one && 'value' in other && one.value === other.value).toBe(false);
  });
});

describe('a number that JavaScript cannot represent', () => {
  const schema = Type.Object({
    i: Type.Optional(Type.Integer()),
    n: Type.Optional(Type.Number()),
    list: Type.Optional(Type.Array(Type.Integer())),
    either: Type.Optional(Type.Union([Type.Integer(), Type.Boolean()])),
  });
  const query = validators.forQuery(schema);
  const form = validators.forForm(schema);
  const message = 'must be an integer from -9007199254740991 to 9007199254740991';

  it.each([
    ['i', '1e400', message],
    ['i', '-1e400', message],
    ['i', '9'.repeat(400), message],
    ['i', '9007199254740993', message],
    ['i', '-9007199254740993', message],
    ['list', '9007199254740993', message],
    ['either', '9007199254740993', message],
    ['n', '1e400', 'must be a number up to 1.7976931348623157e+308'],
    ['n', '-1e400', 'must be a number up to 1.7976931348623157e+308'],
  ])('is rejected in queries and forms (%s=%.20s)', (name, text, why) => {
    const errors = [{ pointer: `/${name}`, keyword: 'type', message: why }];
    expect(query(new URLSearchParams({ [name]: text }))).toEqual({ errors });
    expect(form({ [name]: text })).toEqual({ errors });
  });

  it.each([
    ['i', '9007199254740991', 9007199254740991],
    ['i', '1e3', 1000],
    ['n', '9007199254740993', 9007199254740992],
    ['n', '1e300', 1e300],
    ['either', 'true', true],
  ])('differs from %s=%s, which is accepted', (name, text, value) => {
    expect(query(new URLSearchParams({ [name]: text }))).toEqual({ value: { [name]: value } });
    expect(form({ [name]: text })).toEqual({ value: { [name]: value } });
  });
});
