import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Documentation } from '../../../../src/modules/documentation/documentation';
import { docSamples } from '../../../../src/modules/documentation/samples/samples';
import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';
import { adapter, authentication } from '../../../fixtures/club-module';
import { PEOPLE } from '../../../fixtures/people';
import { RUNNERS, runSample } from './run-sample';

setTestTimeout(60);

const REALM = 'Büro, 語';

const passwordFile = (realm: string): string =>
  `guide:${realm}:{SHA-256}${createHash('sha256').update(`guide:${realm}:explore`).digest('hex')}\n`;
const digest = (realm: string, htdigest: string) =>
  adapter({ accept_schemes: ['digest'], realm, htdigest, nonce_timeout: '3600' });

const guarded = (name: string, route: string) =>
  defineApi({
    name,
    versions: {
      1: {
        services: {
          Door: defineRpcService({
            route,
            authorization: 'authenticated',
            methods: { GET: defineProcedure({ handler: ({ identity }) => ({ user: identity.name }) }) },
          }),
        },
      },
    },
  });

const offices: Module & { apis: unknown } = {
  name: 'offices',
  requires: ['hosting'],
  apis: [guarded('Offices', '/door'), guarded('Desks', '/desk')],
};

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [offices],
    files: {
      ...PEOPLE,
      'config/office.htdigest': passwordFile(REALM),
      'config/desk.htdigest': passwordFile('Desk'),
    },
    local: authentication(
      {
        office: digest(REALM, 'config/office.htdigest'),
        desk: digest('Desk', 'config/desk.htdigest'),
        tokens: {
          adapter: 'JwtAdapter',
          options: { algorithms: ['HS256'], secret: 'a secret of at least thirty-two bytes' },
        },
        people: adapter({
          accept_schemes: ['basic'],
          realm: 'People',
          htpasswd: 'config/people.htpasswd',
          allow_downgrade: true,
        }),
      },
      { Offices: 'office', Desks: ['people', 'desk', 'tokens'] },
    ),
  });
  folder = mkdtempSync(path.join(tmpdir(), 'digest-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await platform.stop();
});

const cases = (['javascript', 'python', 'php', 'ruby', 'java'] as const).flatMap((language) => [
  // The client of Java sends ASCII only.
  ...(language === 'java' ? [] : [[language, 'to a realm that is not ASCII', 'Offices'] as const]),
  [language, 'where tokens and the passwords of another realm are accepted too', 'Desks'] as const,
]);

describe.each(cases)('the sample for %s', (language, where, name) => {
  withPrograms(...(RUNNERS[language]?.programs ?? [])).it(`signs in with Digest ${where}`, async () => {
    const documentation = await platform.application.services.get(Documentation);
    const apis = documentation.listFor({ isGuest: false }).getApis();
    const service = apis.find((api) => api.getName() === name)!.getService('Door')!;
    const [{ code } = { code: '' }] = docSamples(service, service.getOperations()[0]!, platform.origin, [
      language,
    ]);
    const filledIn = code
      .replaceAll('USER:PASSWORD', 'guide:explore')
      .replaceAll(/(['"])USER\1, (['"])PASSWORD\2/g, '$1guide$1, $2explore$2');
    expect(await runSample(language, filledIn, folder)).toMatch(/^200 .*guide/);
  });
});
