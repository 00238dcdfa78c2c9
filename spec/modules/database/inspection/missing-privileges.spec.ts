import type { ConfigObject } from '../../../../src/framework';
import { PostgresServer } from '../../../factories/database/postgres';
import { startTables } from '../../../factories/database/table-databases';
import { sendJson } from '../../../factories/http/requests';
import type { TestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { START_TIMEOUT_MS } from '../../../factories/test-timeout';

const READ: ConfigObject = { collection: { GET: {} }, entity: { GET: {} } };

const WRITE: ConfigObject = {
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PATCH: {}, DELETE: {} },
};

const { describe, it } = withPrograms('postgres');

describe('missing privileges in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, START_TIMEOUT_MS);
  afterAll(() => server.close());

  /** Uses a platform whose sessions have a role. */
  const withRole = async (
    role: string,
    services: Readonly<Record<string, ConfigObject>>,
    use: (platform: TestPlatform) => Promise<void> | void,
  ): Promise<void> => {
    const options = { url: server.url().replace('admin:', `${role}:`) };
    const platform = await startTables({ services }, { adapter: 'PostgresAdapter', options });
    try {
      await use(platform);
    } finally {
      await platform.stop();
    }
  };

  const warningsOf = ({ application }: TestPlatform): readonly string[] =>
    application.warnings.filter((text) => text.includes('lacks'));

  it(
    'a start names the privileges that the role lacks, until they are granted',
    async () => {
      const services: Readonly<Record<string, ConfigObject>> = {
        Paper: {
          table_name: 'papers',
          route: '/papers[/:id]',
          columns: { id: {}, title: {}, Pay: {}, state: { read_only: true } },
          ...WRITE,
        },
        Note: {
          table_name: 'Back Office.notes',
          route: '/notes[/:id]',
          columns: { id: {}, text: {} },
          ...READ,
        },
        Ticket: {
          table_name: 'tickets',
          route: '/tickets[/:id]',
          columns: { id: {}, text: {}, paper_id: { embed: { columns: ['Pay'] } } },
          revision: 'xmin',
          collection: { GET: {}, POST: {} },
        },
        Readable: { table_name: 'readable', route: '/readable[/:id]', columns: { id: {} }, ...READ },
      };
      await server.adapter().runScripts([
        `CREATE ROLE clerk LOGIN PASSWORD 'secret';
          CREATE SCHEMA "Back Office";
          CREATE TABLE papers (id INTEGER PRIMARY KEY, title TEXT, "Pay" TEXT, state TEXT);
          CREATE TABLE "Back Office".notes (id INTEGER PRIMARY KEY, text TEXT);
          CREATE TABLE tickets (id SERIAL PRIMARY KEY, text TEXT, paper_id INTEGER REFERENCES papers (id));
          CREATE TABLE readable (id INTEGER PRIMARY KEY, secret TEXT);
          GRANT SELECT (id, title, state), INSERT (id, title), UPDATE (title) ON papers TO clerk;
          GRANT SELECT (id, text, paper_id), INSERT ON tickets TO clerk;
          GRANT SELECT (id) ON readable TO clerk;`,
      ]);
      await withRole('admin', services, (admin) => {
        expect(warningsOf(admin)).toEqual([]);
      });
      const grants = [
        'GRANT SELECT ("Pay"), INSERT ("Pay"), UPDATE ("Pay"), DELETE ON "public"."papers" TO "clerk"',
        'GRANT USAGE ON SCHEMA "Back Office" TO "clerk"; GRANT SELECT ON "Back Office"."notes" TO "clerk"',
        'GRANT SELECT ("xmin") ON "public"."tickets" TO "clerk"; GRANT USAGE ON SEQUENCE "public"."tickets_id_seq" TO "clerk"; GRANT SELECT ("Pay") ON "public"."papers" TO "clerk"',
      ];
      const warning = (service: string, lacks: string, grant = ''): string =>
        `The service ${service} of Tables-v1: the role "clerk" lacks ${lacks}. These requests respond with 503. Grant the privileges, or remove the columns and operations that need them: ${grant}`;
      await withRole('clerk', services, async (restricted) => {
        expect(warningsOf(restricted)).toEqual([
          warning(
            'Paper',
            'SELECT ("Pay") on "public"."papers" (for GET, POST, PATCH, DELETE); INSERT ("Pay") on "public"."papers" (for POST); UPDATE ("Pay") on "public"."papers" (for PATCH); DELETE on "public"."papers" (for DELETE)',
            grants[0],
          ),
          warning(
            'Note',
            'USAGE on SCHEMA "Back Office" (for GET); SELECT on "Back Office"."notes" (for GET)',
            grants[1],
          ),
          warning(
            'Ticket',
            'SELECT ("xmin") on "public"."tickets" (for GET, POST); USAGE on SEQUENCE "public"."tickets_id_seq" (for POST); SELECT ("Pay") on "public"."papers" (for GET)',
            grants[2],
          ),
        ]);
        expect((await restricted.request('/papers')).status).toBe(503);
        expect((await restricted.request('/notes')).status).toBe(503);
        expect((await restricted.request('/tickets', sendJson({}))).status).toBe(503);
        expect((await restricted.request('/readable')).status).toBe(200);
      });
      await server.adapter().runScripts([grants.join(';')]);
      await withRole('clerk', services, async (granted) => {
        expect(warningsOf(granted)).toEqual([]);
        const paper = { id: 1, title: 'Plan', Pay: 'none' };
        expect((await granted.request('/papers', sendJson(paper))).status).toBe(201);
        expect((await granted.request('/papers/1', sendJson({ Pay: 'some' }, 'PATCH'))).status).toBe(200);
        expect((await granted.request('/tickets', sendJson({ paper_id: 1 }))).status).toBe(201);
        expect((await granted.request('/tickets?embed=paper')).status).toBe(200);
        expect((await granted.request('/tickets/1', { method: 'DELETE' })).status).toBe(405);
        expect((await granted.request('/notes')).status).toBe(200);
      });
    },
    START_TIMEOUT_MS,
  );

  it(
    'does not warn of privileges that come from roles, PUBLIC, owners and views, or that identity columns do not need',
    async () => {
      const table = (name: string, operations = WRITE): ConfigObject => ({
        table_name: name,
        route: `/${name}[/:id]`,
        columns: { id: {}, text: {} },
        ...operations,
      });
      const services = {
        Member: table('members'),
        Open: table('open_rows'),
        Own: table('own_rows'),
        View: table('hidden_view', READ),
        Policy: table('policy_rows'),
        Invoker: table('invoker_view', READ),
      };
      const columns = '(id INTEGER PRIMARY KEY, text TEXT)';
      await server.adapter().runScripts([
        `CREATE ROLE staff; CREATE ROLE writer LOGIN PASSWORD 'secret' IN ROLE staff;
          CREATE TABLE members (id INTEGER PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, text TEXT);
          GRANT SELECT, INSERT, UPDATE, DELETE ON members TO staff;
          CREATE TABLE open_rows ${columns};
          GRANT ALL ON open_rows TO PUBLIC;
          CREATE TABLE own_rows ${columns};
          ALTER TABLE own_rows OWNER TO writer;
          CREATE TABLE hidden ${columns};
          CREATE VIEW hidden_view AS SELECT * FROM hidden;
          CREATE VIEW invoker_view WITH (security_invoker) AS SELECT id, text FROM hidden;
          GRANT SELECT ON hidden_view, invoker_view TO writer;
          CREATE TABLE policy_rows ${columns};
          ALTER TABLE policy_rows ENABLE ROW LEVEL SECURITY;
          GRANT ALL ON policy_rows TO writer;`,
      ]);
      await withRole('writer', services, async (restricted) => {
        // The tables of such a view are read as the role that reads the view.
        expect(warningsOf(restricted)).toEqual([
          'The service Invoker of Tables-v1: the role "writer" lacks SELECT on "public"."hidden" (for GET). These requests respond with 503. Grant the privileges, or remove the columns and operations that need them: GRANT SELECT ON "public"."hidden" TO "writer"',
        ]);
        expect((await restricted.request('/members', sendJson({ text: 'a' }))).status).toBe(201);
        expect((await restricted.request('/own_rows', sendJson({ id: 1, text: 'a' }))).status).toBe(201);
        expect((await restricted.request('/hidden_view')).status).toBe(200);
        expect((await restricted.request('/policy_rows')).status).toBe(200);
        expect((await restricted.request('/invoker_view')).status).toBe(503);
      });
    },
    START_TIMEOUT_MS,
  );
});
