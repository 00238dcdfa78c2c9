import { environmentLayer, substitute } from '../../../../src/framework/config/layers/environment';

describe('The layer that environment variables make', () => {
  it('is empty without them', () => {
    expect(environmentLayer({})).toEqual({});
  });

  it('holds HOST and PORT at server, the port as a number', () => {
    expect(environmentLayer({ HOST: '::1', PORT: '9000', HOME: '/root' })).toEqual({
      server: { host: '::1', port: 9000 },
    });
  });

  it('takes an empty variable for none', () => {
    expect(environmentLayer({ HOST: '', PORT: '' })).toEqual({});
  });

  it.each(['http', '-1', '80.5', '0x50', ' 80'])('refuses PORT=%s', (PORT) => {
    expect(() => environmentLayer({ PORT })).toThrow(
      `The environment variable PORT is "${PORT}"; it must be a whole number.`,
    );
  });
});

describe('Environment variables in values', () => {
  const environment = { USER: 'ada', EMPTY: '', DOLLAR: '$& ${USER}' };

  it('take the place of ${NAME}, alone or within a text, however deep', () => {
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

  it('may be empty, and are taken literally', () => {
    expect(substitute({ a: '[${EMPTY}]', b: '${DOLLAR}' }, environment).tree).toEqual({
      a: '[]',
      b: '$& ${USER}',
    });
  });

  it('leave alone whatever does not name one', () => {
    const tree = { a: '$USER', b: '${}', c: '${1}', d: 1, e: null, f: false, '${USER}': 'key' };
    expect(substitute(tree, environment)).toEqual({ tree, unset: [], written: [] });
  });

  it('that are not set are told, all of them, and their values left out', () => {
    const tree = { db: { hosts: ['x', '${DB_HOST}'], user: '${USER}', password: '${DB_A}${DB_B}' } };
    expect(substitute(tree, environment)).toMatchObject({
      tree: { db: { user: 'ada' } },
      unset: [
        { path: ['db', 'hosts', 1], name: 'DB_HOST' },
        { path: ['db', 'password'], name: 'DB_A' },
        { path: ['db', 'password'], name: 'DB_B' },
      ],
    });
  });
});
