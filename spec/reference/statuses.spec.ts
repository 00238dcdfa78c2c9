import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../src/platform';
import { startAdminPlatform, type AdminPlatform } from '../factories/admin';
import { ROOT, type TestProject } from '../factories/platform';
import { adapter, authentication, CLUB_ADAPTERS, CLUB_FILES } from '../fixtures/club-module';
import { DeskModule } from '../fixtures/desk-module';
import { adminProvocations, hostProvocation, networkProvocations } from './admin-provocations';
import { apiProvocations } from './api-provocations';
import { errorCodes, ErrorTable, provoke, type Provocation, type Provoked } from './provocation';
import { expectPage } from './reference-page';
import { busyProvocations, pendingProvocations, serverProvocations, UPLOADS } from './server-provocations';
import { explanationsIn, statusTable, unprovokedList } from './status-table';

const PAGE = path.join(ROOT, 'docs/reference/statuses.md');
const explanations = explanationsIn(readFileSync(path.join(ROOT, 'docs/errors.md'), 'utf8'));

/** Errors that no test request can cause. */
const unprovoked: Readonly<Record<string, string>> = {
  too_many_open_files: 'the test process itself would have no file descriptor left.',
  '408': '`server.request_timeout` (60 s) is too long for a test.',
  too_many_connections: 'the test process cannot open enough connections.',
  body_memory_exhausted: 'the test would have to send bodies of 64 MiB at the same time.',
};

const guarded: ConfigObject = {
  authentication: {
    adapters: {
      people: CLUB_ADAPTERS.basic,
      club: CLUB_ADAPTERS.digest,
      one: adapter({
        accept_schemes: ['digest'],
        realm: 'One',
        htdigest: 'config/one.htdigest',
        digest_domains: '',
        nonce_timeout: '3600',
      }),
    },
    map: { 'Atlas-v1': 'people', 'Atlas-v2': 'club', 'Desk/Diary': 'people', 'Desk/Diaries': 'people' },
  },
};

const project = (local: ConfigObject): TestProject => ({
  extra: [new DeskModule()],
  local: { 'platform-mvc-auth': guarded, ...local },
  files: {
    ...CLUB_FILES,
    'config/one.htdigest': `ada:One:${'a'.repeat(32)}\n`,
    'config/autoload/zz.local.json': JSON.stringify(authentication({ above: CLUB_ADAPTERS.basic }, {})),
    [`${UPLOADS}/empty`]: '',
  },
});

/** Each project, and the requests to it, in order. */
const runs: readonly (readonly [local: ConfigObject, provocations: readonly Provocation[]])[] = [
  [
    { 'platform-content-negotiation': { uploads: { folder: UPLOADS } } },
    [...apiProvocations, ...serverProvocations, ...adminProvocations, hostProvocation],
  ],
  [{ 'platform-admin': { allow: ['192.0.2.0/24'] } }, networkProvocations],
  [{ 'platform-mvc-auth': { ...guarded, throttling: { enabled: false } } }, pendingProvocations],
  [
    { 'platform-mvc-auth': { ...guarded, throttling: { enabled: false, pending_per_address: 1_000 } } },
    busyProvocations,
  ],
];

describe('the status reference', () => {
  const provoked: Provoked[] = [];

  beforeAll(async () => {
    const table = new ErrorTable();
    for (const [local, provocations] of runs) {
      const platform: AdminPlatform = await startAdminPlatform(project(local));
      try {
        for (const one of provocations) provoked.push(await provoke(platform, one, table));
      } finally {
        await platform.stop();
      }
    }
    jest.restoreAllMocks();
  }, 60_000);

  it('contains the results of this run (update it with WRITE_GOLDEN=1)', () => {
    expectPage(PAGE, {
      table: statusTable(provoked, explanations),
      unprovoked: unprovokedList(unprovoked),
    });
  });

  it('contains every error of the table, except for those listed as not provokable', () => {
    const seen = new Set(provoked.map(({ code }) => code));
    expect(errorCodes.filter((code) => !seen.has(code) && unprovoked[code] === undefined)).toEqual([]);
    expect(errorCodes.filter((code) => seen.has(code) && unprovoked[code] !== undefined)).toEqual([]);
  });

  it('contains every status without a name', () => {
    const seen = new Set(provoked.filter(({ code }) => code === undefined).map(({ status }) => status));
    const missing = [...explanations.statuses.keys()].filter((status) => !seen.has(status));
    expect(missing.filter((status) => unprovoked[status] === undefined)).toEqual([]);
  });

  it('contains only problem responses for errors', () => {
    for (const { status, type } of provoked.filter(({ status: one }) => one >= 400))
      expect([status, type]).toEqual([status, 'application/problem+json']);
  });
});
