import path from 'node:path';
import { ROOT, startTestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { adapter, authentication, CLUB_FILES, ClubModule } from '../../../fixtures/club-module';
import { ContainerModule, Type, type ConfigObject, type Module } from '../../../../src/platform';

const basic = { accept_schemes: ['basic'], realm: 'Club', htpasswd: 'config/people.htpasswd' };
const digest = {
  accept_schemes: ['digest'],
  realm: 'Club',
  htdigest: 'config/club.htdigest',
  nonce_timeout: '3600',
};

const project = (own: ConfigObject, more: ConfigObject = {}) => ({
  modules: HOSTING,
  extra: [new ClubModule()],
  files: CLUB_FILES,
  local: { ...more, ...authentication({ own }, { Club: 'own' }) },
});

const KEY = 'platform-mvc-auth.authentication.adapters.own';

describe('the platform does not start with an adapter', () => {
  const refused: readonly (readonly [string, ConfigObject, readonly string[]])[] = [
    ['of an unknown kind', { adapter: 'HtpAdapter', options: basic }, [`${KEY}.adapter`, '"HtpAdapter"']],
    [
      'whose kind is another service',
      { adapter: 'JsonModel', options: basic },
      [`${KEY}.adapter`, '"JsonModel" is not an authentication adapter factory'],
    ],
    [
      'whose nonce_timeout is a number',
      adapter({ ...digest, nonce_timeout: 3600 }),
      [`${KEY}.options.nonce_timeout`, '3600', 'as a string, such as "3600"'],
    ],
    [
      'whose nonce_timeout is not a number of seconds',
      adapter({ ...digest, nonce_timeout: '0' }),
      [`${KEY}.options.nonce_timeout`, 'above 0'],
    ],
    [
      'with an unknown scheme',
      adapter({ ...basic, accept_schemes: ['ntlm'] }),
      [`${KEY}.options.accept_schemes`, 'ntlm', 'basic'],
    ],
    ['without a scheme', adapter({ ...basic, accept_schemes: [] }), [`${KEY}.options.accept_schemes`]],
    ['without a realm', adapter({ accept_schemes: ['basic'], htpasswd: 'x' }), [`${KEY}.options`, 'realm']],
    ['with a misspelt option', adapter({ ...basic, htpaswd: 'x' }), ['htpaswd', 'htpasswd']],
    [
      'without a password file',
      adapter({ accept_schemes: ['basic'], realm: 'Club' }),
      ['htpasswd is missing'],
    ],
    [
      'with Basic and Digest',
      adapter({ ...basic, ...digest, accept_schemes: ['basic', 'digest'] }),
      ['accept_schemes contains both "basic" and "digest"', 'allow_downgrade'],
    ],
    [
      'whose realm has a colon, which Digest does not allow',
      adapter({ ...digest, realm: 'Club: the' }),
      ['realm is "Club: the"'],
    ],
    [
      'whose password file does not exist',
      adapter({ ...basic, htpasswd: 'config/missing' }),
      ['"own"', 'config/missing', 'htpasswd -c'],
    ],
    [
      'whose digest file does not exist',
      adapter({ ...digest, htdigest: 'config/missing' }),
      ['"own"', 'config/missing', 'htdigest -c'],
    ],
  ];
  it.each(refused)('%s, with a message that gives the location and the fix', async (_what, own, told) => {
    const refusal = await startRefusal(project(own));
    expect(refusal).toMatch(/^config\/autoload\/local\.json:\d+/);
    for (const part of told) expect(refusal).toContain(part);
  });

  const act = (): unknown => undefined;
  const bearer = {
    ...{ schemes: ['Bearer'], warnings: [] },
    ...{ challenges: act, takes: act, authenticate: act, dispose: act },
  };
  const description = { name: 'own', realm: 'Club', schemes: ['bearer'] };
  it.each([
    [
      { adapter: { name: 'own', schemes: ['Bearer'], takes: act, authenticate: act } },
      'What Bearer opens lacks adapter.warnings, adapter.challenges(), adapter.dispose(), description.',
    ],
    [
      { adapter: bearer, description: {} },
      'What Bearer opens lacks adapter.name, description.name, description.realm, description.schemes.',
    ],
    [
      { adapter: { ...bearer, name: 'own', credentials: [{ in: 'headers', name: 'X-Key' }] }, description },
      'The credentials of the adapter that Bearer opens have an invalid item at 0. Write a list of',
    ],
    [
      { adapter: { ...bearer, name: 'own', credentials: 'X-Key' }, description },
      'The credentials of the adapter that Bearer opens are not a list. Write a list of',
    ],
  ])('that lacks members, with a message that names them (%#)', async (opened, message) => {
    const module: Module = {
      name: 'bearer',
      services: new ContainerModule(
        ({ bind }) =>
          void bind('Bearer').toConstantValue({
            settings: Type.Object({}),
            open: () => Promise.resolve(opened),
          }),
      ),
    };
    const own = project({ adapter: 'Bearer', options: {} });
    const refusal = await startRefusal({ ...own, extra: [...own.extra, module] });
    expect(refusal).toMatch(/^config\/autoload\/local\.json:\d+:\d+: /);
    expect(refusal).toContain(message);
  });

  it('before it has named all mistakes in its options, and those of the others', async () => {
    const own = adapter({
      accept_schemes: ['basic', 'digest'],
      realm: 'Club: the',
      htpasswd: 'x',
      htdigest: 'x',
    });
    const local = authentication(
      {
        own,
        other: adapter({ ...basic, htpaswd: 'x' }),
        third: adapter({ ...digest, htdigest: 'config/missing' }),
      },
      { Club: 'own' },
    );
    const lines = (await startRefusal({ ...project(own), local })).split('\n');
    for (const part of ['allow_downgrade', 'realm is "Club: the"', 'nonce_timeout is missing'])
      expect(lines[0]).toContain(part);
    expect(lines[1]).toContain('platform-mvc-auth.authentication.adapters.other.options.htpaswd');
    expect(lines[2]).toContain('Authentication adapter "third"');
  });
});

describe('the sample password files', () => {
  const sample = (name: string): string => path.join(ROOT, 'config/samples', name);

  it.each([
    ['htpasswd', adapter({ ...basic, htpasswd: sample('sample.htpasswd') })],
    ['htdigest', adapter({ ...digest, realm: 'Atlas', htdigest: sample('sample.htdigest') })],
  ])('are rejected on a public address: %s', async (key, own) => {
    const refusal = await startRefusal(project(own, { server: { host: '0.0.0.0' } }));
    expect(refusal).toContain('0.0.0.0, which other machines can reach');
    expect(refusal).toContain('the adapter "own"');
    expect(refusal).toContain(`npx apidesc-platform ${key} -c FILE`);
  });

  it('may be used on localhost only', async () => {
    const own = adapter({ ...basic, htpasswd: sample('sample.htpasswd') });
    const platform = await startTestPlatform(project(own, { server: { host: '127.0.0.1' } }));
    await platform.stop();
    expect(platform.origin).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });
});

describe('an adapter', () => {
  it('that ignores users says so at startup', async () => {
    const files = {
      'config/club.htdigest': `ada:Club:${'a'.repeat(64)}\nada:Club:${'a'.repeat(32)}\nbob:Club:${'a'.repeat(32)}\n`,
    };
    const platform = await startTestPlatform({ ...project(adapter(digest)), files });
    await platform.stop();
    expect(platform.application.warnings).toContainEqual(expect.stringMatching(/"own".*SHA-256/));
  });
});
