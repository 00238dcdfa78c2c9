import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './factories/platform';
import { startProcess, type StartedProcess } from './factories/processes/platform-process';
import { run } from './factories/processes/processes';
import { withPrograms } from './factories/processes/programs';

const { describe } = withPrograms('curl');

/** Returns the commands of the first shell block below "Sample requests" in the README. */
function tour(): readonly string[] {
  const lines = readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('\n');
  const begin = lines.indexOf('```sh', lines.indexOf('## Sample requests'));
  return lines.slice(begin + 1, lines.indexOf('```', begin)).filter((line) => line !== '');
}

/** Checks of each command's output, in order. */
const outcomes: readonly (readonly [outcome: string, check: (output: string) => void])[] = [
  [
    'returns Germany as flat JSON',
    (output) =>
      expect(JSON.parse(output)).toMatchObject({ country_code: 'DE', name: 'Germany', currency: 'EUR' }),
  ],
  [
    'lists the largest countries with those that have a common border',
    (output) =>
      expect(JSON.parse(output)).toMatchObject({
        countries: expect.arrayContaining([
          {
            name: 'Brazil',
            borders: expect.arrayContaining([{ country_code: 'AR', name: 'Argentina' }]) as unknown,
          },
        ]) as unknown,
      }),
  ],
  ['lists the APIs in JSON', (output) => expect(output).toMatch(/"name":"Atlas","versions":\[1,2\]/)],
  [
    'returns the OpenAPI document of version 2',
    (output) =>
      expect(JSON.parse(output)).toMatchObject({
        openapi: expect.stringMatching(/^3\.1\./) as unknown,
        info: {},
      }),
  ],
  [
    'returns the page of a service',
    (output) => {
      expect(output).toMatch(/^<!doctype html>/i);
      expect(output).toContain('Country');
    },
  ],
  [
    'responds 401 with Digest challenges',
    (output) => {
      expect(output).toMatch(/^HTTP\/1\.1 401 /);
      expect(output.match(/^WWW-Authenticate: Digest /gim)).toHaveLength(2);
      expect(output).toMatch(/^Content-Type: application\/problem\+json\r$/im);
      const body: unknown = JSON.parse(output.split('\r\n\r\n')[1] ?? '');
      expect(body).toEqual({
        type: expect.stringMatching(/^https:/) as unknown,
        title: 'Unauthorized',
        status: 401,
        detail: 'Unauthorized',
      });
    },
  ],
  [
    'lists the visits of a user who signed in with Digest',
    (output) => expect(JSON.parse(output)).toMatchObject({ visits: [], total_items: 0 }),
  ],
  [
    'records a visit of a user who signed in with Basic',
    (output) => expect(JSON.parse(output)).toMatchObject({ country_code: 'DE', visited_on: null }),
  ],
  [
    'lists the visits of a country',
    (output) =>
      expect(JSON.parse(output)).toMatchObject({ visits: [{ country_code: 'DE' }], total_items: 1 }),
  ],
  [
    'lists the available formats',
    (output) => {
      expect(output).toMatch(/^HTTP\/1\.1 406 /);
      const body: unknown = JSON.parse(output.split('\r\n\r\n')[1] ?? '');
      expect(body).toMatchObject({
        status: 406,
        available: [
          'application/json',
          'text/html',
          'application/vnd.apidesc+json',
          'application/vnd.oai.openapi+json;version=3.1',
          'application/yaml',
          'application/vnd.oai.openapi;version=3.1',
          'application/vnd.swagger+json',
          'text/markdown',
        ],
      });
    },
  ],
];

describe('the sample requests of the README, with the configuration of a fresh clone', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'tour-'));
  let platform: StartedProcess;
  beforeAll(async () => {
    cpSync(path.join(ROOT, 'config'), path.join(root, 'config'), { recursive: true });
    const local = path.join(root, 'config', 'autoload', 'local.json');
    copyFileSync(`${local}.dist`, local);
    platform = await startProcess(root);
  });
  afterAll(async () => {
    await platform.stop();
    rmSync(root, { recursive: true });
  });

  it('has a command for each outcome, and nothing else', () => {
    expect(tour()).toHaveLength(outcomes.length);
    for (const command of tour()) expect(command).toMatch(/^curl -s.* localhost:8080\//);
  });

  it.each(outcomes.map(([outcome, check], at) => ({ number: at + 1, outcome, check })))(
    'in command $number $outcome',
    async ({ number, check }) => {
      const { host } = new URL(platform.origin ?? '');
      const command = tour()[number - 1] ?? '';
      const typed = command.replace('localhost:8080', host).replace('PASSWORD', 'explore');
      const { code, output } = await run('sh', ['-c', typed]);
      expect(code).toBe(0);
      check(output);
    },
  );
});
