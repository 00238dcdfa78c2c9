import fc from 'fast-check';
import { growthOf } from '../../../factories/measure/cpu-time';
import { environmentLayer, substitute } from '../../../../src/framework/config/layers/environment';
import { escapeReferences } from '../../../../src/framework/config/layers/references';

describe('The layer of environment variables', () => {
  it('is empty without them', () => {
    expect(environmentLayer({})).toEqual({});
  });

  it('contains HOST and PORT in server, the port as a number, and LOG_LEVEL', () => {
    expect(environmentLayer({ HOST: '::1', PORT: '9000', LOG_LEVEL: 'debug', HOME: '/root' })).toEqual({
      server: { host: '::1', port: 9000 },
      log: { level: 'debug' },
    });
  });

  it('ignores empty variables', () => {
    expect(environmentLayer({ HOST: '', PORT: '' })).toEqual({});
  });

  it.each(['http', '-1', '80.5', '0x50', ' 80'])('rejects PORT=%s', (PORT) => {
    expect(() => environmentLayer({ PORT })).toThrow(
      `The environment variable PORT is "${PORT}"; it must be a whole number.`,
    );
  });
});

describe('Environment variables in values', () => {
  const environment = { USER: 'ada', EMPTY: '', DOLLAR: '$& ${USER}' };

  it('replace ${NAME}, alone or within a string, on every level', () => {
    const tree = { a: '${USER}', b: { c: ['x', 'hello ${USER}, ${USER}!'] } };
    expect(substitute(tree, environment)).toEqual({
      tree: { a: 'ada', b: { c: ['x', 'hello ada, ada!'] } },
      unset: [],
      written: [
        { path: ['a'], text: '${USER}' },
        { path: ['b', 'c', 1], text: 'hello ${USER}, ${USER}!' },
      ],
    });
  });

  it('can be empty, and are inserted literally', () => {
    expect(substitute({ a: '[${EMPTY}]', b: '${DOLLAR}' }, environment).tree).toEqual({
      a: '[]',
      b: '$& ${USER}',
    });
  });

  it('are their own text with two dollar signs, and each two dollar signs before them are one', () => {
    const tree = {
      a: '$${USER}',
      b: '$$${USER}',
      c: '$$$${USER}',
      d: '$$',
      e: '$${',
      f: 'a $${USER} ${USER}',
    };
    expect(substitute(tree, environment)).toEqual({
      tree: { a: '${USER}', b: '$ada', c: '$${USER}', d: '$$', e: '$${', f: 'a ${USER} ada' },
      unset: [],
      written: [
        { path: ['b'], text: '$$${USER}' },
        { path: ['f'], text: 'a $${USER} ${USER}' },
      ],
    });
    expect(substitute({ a: '$${MISSING}' }, {}).unset).toEqual([]);
  });

  it('are escaped so that any text can be written', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[$A{}\\]*$/), (text) => {
        expect(substitute({ a: escapeReferences(text) }, {})).toEqual({
          tree: { a: text },
          unset: [],
          written: [],
        });
      }),
    );
  });

  it('are searched for in linear time', () => {
    const task = (length: number) => substitute({ a: `${'$'.repeat(length)} \${A}` }, { A: '' });
    expect(growthOf(task, 2_000, 32_000)).toBeLessThan(64);
  });

  it('leave other values unchanged', () => {
    const tree = { a: '$USER', b: '${}', c: '${1}', d: 1, e: null, f: false, '${USER}': 'key' };
    expect(substitute(tree, environment)).toEqual({ tree, unset: [], written: [] });
  });

  it('leave sections without them as they are', () => {
    const tree = { a: null, b: { c: [1, ['x']] }, d: { e: ['${USER}'], f: { g: ['x'] } } };
    const after = substitute(tree, environment).tree as typeof tree;
    expect(after).toEqual({ ...tree, d: { e: ['ada'], f: { g: ['x'] } } });
    expect([after.b === tree.b, after.d.f === tree.d.f]).toEqual([true, true]);
  });

  it('that are not set are all reported, and their values omitted', () => {
    const tree = { db: { hosts: ['x', '${DB_HOST}'], user: '${USER}', password: '${DB_A}${DB_B}' } };
    const { tree: set, unset } = substitute(tree, environment);
    expect(set).toStrictEqual({ db: { user: 'ada' } });
    expect(unset).toEqual([
      { path: ['db', 'hosts', 1], name: 'DB_HOST' },
      { path: ['db', 'password'], name: 'DB_A' },
      { path: ['db', 'password'], name: 'DB_B' },
    ]);
  });

  it('are not the members that every object inherits', () => {
    const { tree, unset } = substitute({ a: '${constructor}', b: '${__proto__}' }, process.env);
    expect(tree).toStrictEqual({});
    expect(unset).toEqual([
      { path: ['a'], name: 'constructor' },
      { path: ['b'], name: '__proto__' },
    ]);
  });
});
