import { rmSync } from 'node:fs';
import { defineApi, defineRpcService } from '../../../../src/modules/hosting';
import type { Module } from '../../../../src/platform';
import { createTestApplication } from '../../../../src/testing';
import { WITH_ADMIN } from '../../../factories/admin/admin';
import { makeProject } from '../../../factories/platform';
import { PEOPLE, peopleAdapter } from '../../../fixtures/people';

const service = (route: string, extra: object = {}) =>
  defineRpcService({ route, methods: { GET: { handler: () => ({}) } }, ...extra });
const hidden = { visibility: 'authenticated' } as const;

const club: Module = {
  name: 'club',
  requires: ['hosting', 'documentation'],
  apis: [
    defineApi({
      name: 'Club',
      versions: { 1: { services: { Hall: service('/hall'), Board: service('/board', hidden) } } },
    }),
    defineApi({
      name: 'Cellar',
      ...hidden,
      versions: { 1: { services: { Wine: service('/wine') } }, 2: { inherits: 1 } },
    }),
  ],
};

type AdapterMap = Readonly<Record<string, string | readonly string[]>>;

/** Returns the warnings for an adapter map. */
async function warningsFor(map: AdapterMap): Promise<readonly string[]> {
  const root = makeProject({ modules: WITH_ADMIN, files: PEOPLE });
  const app = await createTestApplication({
    root,
    modules: [club],
    configuration: {
      'platform-mvc-auth': { authentication: { adapters: { people: peopleAdapter('people') }, map } },
    },
  });
  const { warnings } = app.application;
  await app.close();
  rmSync(root, { recursive: true });
  return warnings.filter((warning) => warning.includes('hidden from guests'));
}

const SERVICE =
  'The documentation of the service "Club-v1/Board" is hidden from guests, and nobody can sign in';
const API =
  'The documentation of the API "Cellar" is hidden from guests, and nobody can sign in to read it: guests receive a 404, as for a name that does not exist. An adapter of the API itself would reveal that it exists, and is not used there. Map an adapter to "@documentation"';

describe('visibility warnings', () => {
  it.each<[object, readonly string[]]>([
    [{ '*': [] }, [`${SERVICE} to read it. Map an adapter to "Club" or "@documentation"`, API]],
    // Without a map, the only adapter guards each API.
    [{}, [API]],
    [
      { 'Club/Board': 'people' },
      [
        `${SERVICE} to read it: a challenge of its own adapter would reveal that it exists. Map an adapter to "Club" or`,
        API,
      ],
    ],
    [{ Club: 'people' }, [API]],
    [{ 'Cellar-v1': 'people', Club: 'people' }, [API]],
    [{ '*': 'people' }, [API]],
    [{ Cellar: 'people', Club: 'people' }, [API]],
    [{ '@documentation': 'people' }, []],
  ])('report documentation that nobody can read, with the map %j', async (map, expected) => {
    const warnings = await warningsFor(map as AdapterMap);
    expect(warnings).toHaveLength(expected.length);
    for (const [at, warning] of expected.entries()) expect(warnings[at]).toContain(warning);
  });
});
