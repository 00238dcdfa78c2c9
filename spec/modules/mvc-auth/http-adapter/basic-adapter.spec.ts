import { hash } from 'node:crypto';
import { ask, testProject, type TestProject } from './adapter-factory';
import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import { hashWithBcrypt } from '../../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import { cpuTimeOf } from '../../../factories/measure/cpu-time';

const refused = { outcome: 'refused', stale: false };
const basic = (pair: string | Buffer): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('a Basic adapter', () => {
  let project: TestProject;
  let adapter: AuthenticationAdapter;
  beforeEach(async () => {
    project = await testProject();
    const users = [
      ['Aladdin', 'open sesame'],
      ['test', '123\u00a3'],
      ['zero', '0'],
      ['empty', ''],
      ['colons', 'a:b:c'],
      ['long', 'x'.repeat(72)],
    ] as const;
    const lines = users.map(async ([name, password]) => `${name}:${await hashWithBcrypt(password, 4)}\n`);
    await project.write('htpasswd', (await Promise.all(lines)).join(''));
    adapter = await project.open({ accept_schemes: ['basic'], realm: 'foo', htpasswd: 'htpasswd' });
  });
  afterEach(() => project.close());

  it('challenges as RFC 7617 shows, with the charset', () => {
    expect(adapter.challenges(false)).toEqual(['Basic realm="foo", charset="UTF-8"']);
    expect(adapter.challenges(true)).toEqual(adapter.challenges(false));
    expect(adapter.schemes).toEqual(['Basic']);
    expect([adapter.takes('BASIC'), adapter.takes('digest')]).toEqual([true, false]);
  });

  it('accepts the credentials of RFC 7617', async () => {
    expect(await ask(adapter, 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')).toEqual({
      outcome: 'authenticated',
      username: 'Aladdin',
      fields: [],
    });
    expect(await ask(adapter, 'basic dGVzdDoxMjPCow==')).toMatchObject({ username: 'test' });
  });

  it.each(['zero:0', 'empty:', 'colons:a:b:c', `long:${'x'.repeat(72)}`])('accepts %s', async (pair) => {
    expect(await ask(adapter, basic(pair))).toMatchObject({ outcome: 'authenticated' });
  });

  it.each([
    ['a wrong password', basic('Aladdin:open barley')],
    ['an unknown user', basic('Jafar:open sesame')],
    ['an empty name', basic(':open sesame')],
    ['another letter case', basic('aladdin:open sesame')],
    ['no colon', basic('Aladdin')],
    ['nothing', 'Basic'],
    ['a parameter', 'Basic realm="foo"'],
    ['base64 without its padding', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ'],
    ['base64 with unused bits set', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZR=='],
    ['base64 in the URL alphabet', basic('Aladdin:\u00ff\u00ff\u00ff').replace(/\+|\//g, '_')],
    ['text after it', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== x'],
    ['Latin-1', basic(Buffer.from('test:123\u00a3', 'latin1'))],
    ['a control character', basic('Aladdin:open sesame\0')],
    ['a line break', basic('Aladdin:open sesame\n')],
    ['a password that bcrypt would truncate', basic(`long:${'x'.repeat(73)}`)],
    ['an oversized password', basic(`Aladdin:${'x'.repeat(5000)}`)],
  ])('rejects %s', async (_, field) => {
    expect(await ask(adapter, field)).toEqual(refused);
  });

  it('rejects control characters even in a password that was stored with one', async () => {
    const passwords = ['a\u0007b', 'a\u007fb', 'a\u00a0b'];
    const lines = passwords.map((password, index) => `u${index}:{SHA}${hash('sha1', password, 'base64')}\n`);
    await project.write('other', lines.join(''));
    const other = await project.open({ accept_schemes: ['basic'], realm: 'foo', htpasswd: 'other' });
    const results = passwords.map((password, index) => ask(other, basic(`u${index}:${password}`)));
    expect((await Promise.all(results)).map(({ outcome }) => outcome)).toEqual([
      'refused',
      'refused',
      'authenticated',
    ]);
  });

  it('does not accept the stored hash as the password', async () => {
    const stored = await hashWithBcrypt('secret', 4);
    await project.write('other', `Aladdin:${stored}\nplain:secret\n`);
    const other = await project.open({ accept_schemes: ['basic'], realm: 'foo', htpasswd: 'other' });
    expect(await ask(other, basic(`Aladdin:${stored}`))).toEqual(refused);
    expect(await ask(other, basic('plain:secret'))).toEqual(refused);
    expect(other.warnings).toEqual([
      expect.stringMatching(/other, line 2: the hash of user "plain" is not of a supported kind/),
    ]);
  });

  it('caches verified credentials, and never wrong ones', async () => {
    const request = { method: 'GET', target: '/', address: '127.0.0.1' };
    const right = { ...request, authorization: [basic('Aladdin:open sesame')] };
    const wrong = { ...request, authorization: [basic('Aladdin:open barley')] };
    await adapter.authenticate(right);
    await adapter.authenticate(wrong);
    expect(adapter.authenticate(right)).toMatchObject({ outcome: 'authenticated' });
    expect(adapter.authenticate(wrong)).toBeInstanceOf(Promise);
  });

  it('takes as long for an unknown user as for a known one', async () => {
    await project.write(
      'slow',
      `Aladdin:${await hashWithBcrypt('open sesame', 10)}\ncheap:{SHA}Ys23Ag/5IOWqZCw9QGaVDdHwH00=\n`,
    );
    const slow = await project.open({ accept_schemes: ['basic'], realm: 'foo', htpasswd: 'slow' });
    const fastest = { Aladdin: Infinity, Jafar: Infinity, cheap: Infinity };
    const different = (): readonly number[] => {
      const { Aladdin: known, Jafar: unknown, cheap } = fastest;
      return [unknown / known, cheap / known].filter((ratio) => !(ratio > 0.6 && ratio < 1.6));
    };
    // The fastest of many: other processes slow some of them down.
    for (let time = 0; time < 40 && (time < 5 || different().length > 0); time++) {
      for (const name of ['Aladdin', 'Jafar', 'cheap'] as const) {
        const used = await cpuTimeOf(() => ask(slow, basic(`${name}:guess ${time}`)));
        fastest[name] = Math.min(fastest[name], used);
      }
    }
    expect(different()).toEqual([]);
  });

  it('accepts plain text and DES only where configured', async () => {
    await project.write(
      'weak',
      'plain:secret\nnone:\ndes:rqVTKtRlPS2tM\ntwin:$1$salt$qJH7.N4xYta3aEG/dfqo/0\n',
    );
    const options = { accept_schemes: ['basic' as const], htpasswd: 'weak' };
    const pairs = [
      'plain:secret',
      'none:',
      'des:password',
      'des:rqVTKtRlPS2tM',
      'twin:$1$salt$qJH7.N4xYta3aEG/dfqo/0',
    ];
    const outcomes = async (weak_hashes: ('des' | 'plain')[]): Promise<boolean[]> => {
      const weak = await project.open({ ...options, weak_hashes });
      const results = await Promise.all(pairs.map((pair) => ask(weak, basic(pair))));
      return results.map(({ outcome }) => outcome === 'authenticated');
    };
    expect(await outcomes(['plain', 'des'])).toEqual([true, true, true, false, false]);
    expect(await outcomes(['plain'])).toEqual([true, true, false, false, false]);
    expect(await outcomes([])).toEqual([false, false, false, false, false]);
  });
});
