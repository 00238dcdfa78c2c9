import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Documentation } from '../../../../src/modules/documentation/documentation';
import { docSamples } from '../../../../src/modules/documentation/samples/samples';
import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/programs';
import { setTestTimeout } from '../../../factories/test-timeout';
import { adapter, authentication } from '../../../fixtures/club-module';
import { RUNNERS, runSample } from './run-sample';

setTestTimeout(60);

const REALM = 'Büro, 語';
const secret = createHash('sha256').update(`guide:${REALM}:explore`).digest('hex');

const offices: Module & { apis: unknown } = {
  name: 'offices',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Offices',
      versions: {
        1: {
          services: {
            Door: defineRpcService({
              route: '/door',
              authorization: 'authenticated',
              methods: { GET: defineProcedure({ handler: ({ identity }) => ({ user: identity.name }) }) },
            }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [offices],
    files: { 'config/office.htdigest': `guide:${REALM}:{SHA-256}${secret}\n` },
    local: authentication(
      {
        office: adapter({
          accept_schemes: ['digest'],
          realm: REALM,
          htdigest: 'config/office.htdigest',
          nonce_timeout: '3600',
        }),
      },
      { Offices: 'office' },
    ),
  });
  folder = mkdtempSync(path.join(tmpdir(), 'digest-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await platform.stop();
});

// Not Java, whose client sends ASCII only.
describe.each(['javascript', 'python', 'php', 'ruby'] as const)('the sample for %s', (language) => {
  withPrograms(...(RUNNERS[language]?.programs ?? [])).it(
    'signs in with Digest to a realm that is not ASCII',
    async () => {
      const documentation = await platform.application.services.get(Documentation);
      const apis = documentation.listFor({ isGuest: false }).getApis();
      const service = apis.find((api) => api.getName() === 'Offices')!.getService('Door')!;
      const [{ code } = { code: '' }] = docSamples(service, service.getOperations()[0]!, platform.origin, [
        language,
      ]);
      const filledIn = code
        .replaceAll('USER:PASSWORD', 'guide:explore')
        .replaceAll(/(['"])USER\1, (['"])PASSWORD\2/g, '$1guide$1, $2explore$2');
      expect(await runSample(language, filledIn, folder)).toMatch(/^200 .*guide/);
    },
  );
});
