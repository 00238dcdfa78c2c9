import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadBuiltIn } from '../../src/framework/application/modules/import-module';
import { builtInModules } from '../../src/modules';
import { defineApi, defineModule, defineProcedure, defineRpcService } from '../../src/platform';
import { ROOT, startTestPlatform } from '../factories/platform';
import { basic, sendJson } from '../factories/http/requests';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../fixtures/club-module';
import { DeskModule } from '../fixtures/desk-module';
import { expectPage, markdownTable } from './reference-page';
import { requestState, type StateMember } from './request-state';
import { PhaseRecorder } from './state-phases';

const PAGE = path.join(ROOT, 'docs/reference/request-state.md');
const HEAD = ['member', 'meaning', 'type', 'declared by', 'set by', 'phase', 'read by'];

/** An API with a lifecycle, and one that reads its abort signal. */
const clock = defineModule({
  name: 'clock',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Clock',
      versions: {
        1: {
          deprecated: '2026-12-31',
          services: {
            Now: defineRpcService({
              route: '/clock/now',
              methods: { GET: defineProcedure({ handler: ({ signal }) => ({ aborted: signal.aborted }) }) },
            }),
          },
        },
      },
    }),
  ],
});

const form = new FormData();
form.append('drawing', new Blob(['x']), 'x.txt');

/** Requests that together set every member. */
const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/v1/atlas/countries?region=Europe'],
  ['/desk/notes'],
  ['/desk/slow'],
  ['/desk/nothing'],
  ['/desk/notes', sendJson({ text: 'Milk' })],
  ['/desk/drawings', { method: 'POST', body: form }],
  ['/desk/drawings', { method: 'OPTIONS' }],
  ['/desk/diary', { headers: { Authorization: basic('ada', 'password') } }],
  ['/clock/now'],
  ['/platform/documentation'],
  ['/platform/documentation'],
];

describe('request state', () => {
  const state = requestState();
  const recorder = new PhaseRecorder(state.map(({ name }) => name));

  beforeAll(async () => {
    const platform = await startTestPlatform({
      extra: [recorder, new DeskModule(), clock],
      files: CLUB_FILES,
      local: {
        'platform-hosting': { context_storage: true },
        ...authentication({ people: CLUB_ADAPTERS.basic }, { 'Desk/Diary': 'people' }),
      },
    });
    try {
      for (const [target, init] of requests) await platform.request(target, init);
    } finally {
      await platform.stop();
    }
  });

  it('is documented with its types, writers, phases and readers; WRITE_GOLDEN=1 writes the table', () => {
    const meanings = meaningsIn(readFileSync(PAGE, 'utf8'));
    const rows = state.map((member) =>
      row(member, meanings.get(member.name), recorder.phasesOf(member.name)),
    );
    expectPage(PAGE, { table: markdownTable(HEAD, rows) });
    expect(state.filter(({ name }) => !meanings.get(name)).map(({ name }) => name)).toEqual([]);
  });

  it('is accessed by modules that require the module that declares it, also optionally', async () => {
    const missing: string[] = [];
    for (const name of Object.keys(builtInModules)) {
      const { requires = [], optionalRequires = [] } = await loadBuiltIn(name, builtInModules);
      const known = ['framework', name, ...requires, ...optionalRequires];
      for (const { name: member, declaredBy, writers, readers } of state)
        if ([...writers, ...readers].includes(name) && !known.includes(declaredBy))
          missing.push(`${name} accesses ${member}, and does not require ${declaredBy}`);
    }
    expect(missing).toEqual([]);
  });
});

function row(member: StateMember, meaning = '', phases: readonly string[]): readonly string[] {
  const { name, type, declaredBy, writers, readers, isComputed } = member;
  return [
    `\`${name}\``,
    meaning,
    `\`${type.replaceAll('|', '\\|')}\``,
    declaredBy,
    isComputed ? '' : writers.join(', '),
    isComputed ? 'computed' : phases.join(', '),
    readers.join(', '),
  ];
}

/** Returns the meaning of each member as the page has it; this column is written by hand. */
function meaningsIn(page: string): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `(\w+)` +\| (.*?) +\|/gm);
  return new Map([...rows].map(([, name = '', meaning = '']) => [name, meaning.trim()]));
}
