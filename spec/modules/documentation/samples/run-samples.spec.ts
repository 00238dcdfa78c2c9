import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Documentation } from '../../../../src/modules/documentation/documentation';
import type { Operation } from '../../../../src/modules/documentation/model/operation';
import type { Service } from '../../../../src/modules/documentation/model/service';
import { docSamples, type Sample } from '../../../../src/modules/documentation/samples/samples';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { withPrograms, type Program } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';
import { RUNNERS, runSample } from './run-sample';

setTestTimeout(120);

const execute = promisify(execFile);
const LANGUAGES = ['curl', 'javascript', 'python', 'httpie', 'php', 'java', 'ruby'] as const;

const PROGRAMS: Readonly<Record<string, readonly Program[]>> = { httpie: ['http'] };

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startTestPlatform({ local: sampleAuthentication });
  folder = mkdtempSync(path.join(tmpdir(), 'samples-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await platform.stop();
});

/** Fills in what a reader would: name, password, and the identifier that the server assigned. */
function filledIn(code: string, visit: string): string {
  return code
    .replaceAll('VISIT_ID', visit)
    .replaceAll('USER:PASSWORD', 'guide:explore')
    .replaceAll(/(['"])USER\1, (['"])PASSWORD\2/g, '$1guide$1, $2explore$2')
    .replaceAll(/ -(u|a) USER\b/g, ' -$1 guide:explore');
}

/** Runs a sample unchanged, except that it prints the status. @returns the status */
async function statusOf({ language, code }: Sample, visit: string): Promise<number> {
  const text = filledIn(code, visit);
  const options = { cwd: folder, env: { ...process.env, no_proxy: '*' }, timeout: 20_000 };
  if (language === 'curl') {
    const line = text.replace(/^curl /, "curl --silent --show-error --write-out '\\n%{http_code}' ");
    return Number((await execute('/bin/sh', ['-c', line], options)).stdout.split('\n').at(-1));
  }
  if (language === 'httpie') {
    const line = text.replace(/^http /, 'http --ignore-stdin --print=h ');
    const { stdout } = await execute('/bin/sh', ['-c', line], options);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1]);
  }
  return Number((await runSample(language, text, folder)).split(' ')[0]);
}

/** Returns all operations, deletions last. */
async function operations(version: string): Promise<readonly (readonly [Service, Operation])[]> {
  const documentation = await platform.application.services.get(Documentation);
  const apis = documentation.listFor({ isGuest: false }).getApis();
  return apis
    .find((api) => api.getName() === 'Atlas' && api.getVersion() === Number(version))!
    .getServices()
    .flatMap((service) =>
      [...service.getOperations(), ...service.getEntityOperations()].map((one) => [service, one] as const),
    );
}

async function newVisit(version: string): Promise<string> {
  const service = (await operations(version)).find(
    ([owner, one]) =>
      owner.getName() === 'Visit' &&
      one.getHttpMethod() === 'POST' &&
      owner.getPaths(one).every((path) => !path.endsWith('/query')),
  )!;
  const curl = docSamples(...service, platform.origin, ['curl'])[0]!;
  const line = filledIn(curl.code, '').replace('curl ', 'curl --silent ');
  const { stdout } = await execute('/bin/sh', ['-c', line], { cwd: folder, env: process.env });
  return String((JSON.parse(stdout) as { visit_id: unknown }).visit_id);
}

const EXPECTED: Readonly<Record<string, number>> = { POST: 201, DELETE: 204 };

describe.each([
  ['1', 'Basic'],
  ['2', 'Digest'],
])('every sample of Atlas version %s, guarded by %s,', (version) => {
  describe.each(LANGUAGES)('in %s', (language) => {
    withPrograms('curl', ...(PROGRAMS[language] ?? RUNNERS[language]?.programs ?? [])).it(
      'works as it is pasted',
      async () => {
        const visit = await newVisit(version);
        const found: string[] = [];
        const expected: string[] = [];
        const all = (await operations(version)).filter(
          // Each run compiles the program, which takes seconds: one operation per method.
          ([, one], at, list) =>
            language !== 'java' ||
            list.findIndex(([, other]) => other.getHttpMethod() === one.getHttpMethod()) === at,
        );
        for (const [service, operation] of all) {
          const sample = docSamples(service, operation, platform.origin, [language])[0]!;
          const name = `${operation.getHttpMethod()} ${service.getPaths(operation).at(-1) ?? ''}`;
          found.push(`${name}: ${await statusOf(sample, visit)}`);
          expected.push(
            `${name}: ${name.endsWith('/query') ? 200 : (EXPECTED[operation.getHttpMethod()] ?? 200)}`,
          );
        }
        expect(found).toEqual(expected);
        expect(found.length).toBeGreaterThanOrEqual(language === 'java' ? 4 : 8);
      },
    );
  });
});
