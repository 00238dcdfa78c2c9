import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../../src/platform';
import { startAdminPlatform, type AdminPlatform, WITH_ADMIN } from '../../factories/admin/admin';
import { ROOT, type TestProject } from '../../factories/platform';
import { adapter, authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../fixtures/club-module';
import { DeskModule } from '../../fixtures/desk-module';
import { adminCases, hostProvocation, networkCases } from './admin-cases';
import { apiCases } from './api-cases';
import { clusterCases } from './cluster-cases';
import { databaseCases, databaseSettings } from './database-cases';
import { fileCases } from './file-cases';
import { errorCodes, ErrorTable, runStatusCase, type StatusCase, type StatusResult } from './status-case';
import { expectPage } from '../reference-page';
import { busyCases, limitCases, pendingCases, rateLimitCases, serverCases, UPLOADS } from './server-cases';
import { explanationsIn, statusTable, uncoveredList } from './status-table';

const PAGE = path.join(ROOT, 'docs/reference/statuses.md');
const explanations = explanationsIn(readFileSync(path.join(ROOT, 'docs/errors.md'), 'utf8'));

/** Errors that no test request can cause. */
const uncovered: Readonly<Record<string, string>> = {
  too_many_open_files: 'the test process itself would have no file descriptor left.',
  request_timeout: '`server.header_timeout` (30 s) is too long for a test.',
  too_slow: '`server.min_data_rate` is measured for ten seconds, which is too long for a test.',
  too_many_connections: 'the test process cannot open enough connections.',
  batch_not_atomic: 'the detail of a batch begins with the number of the operation.',
  write_conflict: 'two transactions of PostgreSQL would have to change the same row at the same moment.',
  outcome_unknown: 'the connection to PostgreSQL would have to be lost while it makes a change.',
  rollout_refused: 'another node would have to refuse a change.',
  configuration_store_unavailable: 'a configuration store that cannot be reached also prevents the start.',
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
  modules: [...WITH_ADMIN, 'database', 'static-files'],
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
const runs: readonly (readonly [local: ConfigObject, cases: readonly StatusCase[]])[] = [
  [
    { 'platform-content-negotiation': { uploads: { folder: UPLOADS } } },
    [...apiCases, ...serverCases, ...adminCases, hostProvocation],
  ],
  [databaseSettings(), databaseCases],
  [{ 'platform-static-files': { folders: { '/files': { folder: UPLOADS } } } }, fileCases],
  [{ 'platform-content-negotiation': { body_members: 3 } }, limitCases],
  [{ 'platform-rate-limits': { Desk: [{ limit: 1, window: 60, per: 'user' }] } }, rateLimitCases],
  [{ 'platform-admin': { allow: ['192.0.2.0/24'] } }, networkCases],
  [{ 'platform-mvc-auth': { ...guarded, throttling: { enabled: false } } }, pendingCases],
  [
    { 'platform-mvc-auth': { ...guarded, throttling: { enabled: false, pending_per_address: 1_000 } } },
    busyCases,
  ],
  [{}, clusterCases],
];

describe('the status reference', () => {
  const results: StatusResult[] = [];

  beforeAll(async () => {
    const table = new ErrorTable();
    for (const [local, cases] of runs) {
      const platform: AdminPlatform = await startAdminPlatform(project(local));
      try {
        for (const one of cases) results.push(await runStatusCase(platform, one, table));
      } finally {
        await platform.stop();
      }
    }
    jest.restoreAllMocks();
  }, 180_000);

  it('contains the results of this run (update it with WRITE_GOLDEN=1)', () => {
    expectPage(PAGE, {
      table: statusTable(results, explanations),
      uncovered: uncoveredList(uncovered),
    });
  });

  it('contains every error of the table, except for those listed as uncovered', () => {
    const seen = new Set(results.map(({ code }) => code));
    expect(errorCodes.filter((code) => !seen.has(code) && uncovered[code] === undefined)).toEqual([]);
    expect(errorCodes.filter((code) => seen.has(code) && uncovered[code] !== undefined)).toEqual([]);
  });

  it('contains every status without a name', () => {
    const seen = new Set(results.filter(({ code }) => code === undefined).map(({ status }) => status));
    const missing = [...explanations.statuses.keys()].filter((status) => !seen.has(status));
    expect(missing.filter((status) => uncovered[status] === undefined)).toEqual([]);
  });

  it('contains only problem responses for errors', () => {
    for (const { status, type } of results.filter(({ status: one }) => one >= 400))
      expect([status, type]).toEqual([status, 'application/problem+json']);
  });
});
