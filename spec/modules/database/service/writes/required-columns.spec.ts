import type { ConfigObject } from '../../../../../src/framework';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { describeOnBothDatabases } from '../../../../factories/database/both-databases';

interface Member {
  readonly type?: string | readonly string[];
}

describeOnBothDatabases(
  'a column that is NOT NULL',
  {
    sql: () => `CREATE TABLE lamps (code VARCHAR(9) PRIMARY KEY, label VARCHAR(9) NOT NULL,
      size INTEGER NOT NULL DEFAULT 5, color VARCHAR(9) DEFAULT 'red');
      INSERT INTO lamps (code, label) VALUES ('a', 'Globe')`,
    services: {
      Lamp: {
        kind: 'table',
        adapter_name: 'shop',
        table_name: 'lamps',
        route: '/lamps[/:code]',
        route_identifier_name: 'code',
        columns: { code: {}, label: {}, size: {}, color: {} },
        collection: { POST: {}, PATCH: {} },
        entity: { GET: {}, PATCH: {} },
      },
    },
    options: {
      modules: [
        'content-negotiation',
        'content-validation',
        'mvc-auth',
        'hosting',
        'documentation',
        'documentation-formats',
        'database',
      ],
    },
  },
  ({ it, platform }) => {
    const errorsOf = async (response: Response): Promise<readonly unknown[]> => {
      const { errors } = (await bodyOf(response)) as { readonly errors: readonly { pointer: string }[] };
      return [response.status, ...errors.map(({ pointer }) => pointer)];
    };

    it.each(['code', 'label', 'size'])('cannot be set to null by a patch: %s', async (name) => {
      const patch = sendJson({ [name]: null }, 'PATCH');
      expect(await errorsOf(await platform().request('/lamps/a', patch))).toEqual([422, `/${name}`]);
    });

    it('cannot be set to null by the patches of a list', async () => {
      const patch = sendJson([{ code: 'a', size: null }], 'PATCH');
      expect(await errorsOf(await platform().request('/lamps', patch))).toEqual([422, '/0/size']);
    });

    it('is documented as such, unlike one that may be null', async () => {
      const response = await platform().request('/platform/documentation/Shop-v1', {
        headers: { Accept: 'application/vnd.oai.openapi+json' },
      });
      const text = await response.text();
      const schemas = patchesIn(JSON.parse(text) as object);
      expect(schemas.length).toBeGreaterThan(0);
      for (const { label, size, color } of schemas)
        expect([label?.type, size?.type, color?.type]).toEqual(['string', 'integer', ['string', 'null']]);
    });
  },
);

/** The members of the bodies of PATCH in an OpenAPI document. */
function patchesIn(document: object): readonly Readonly<Record<string, Member>>[] {
  const { paths, components } = document as {
    readonly paths: Readonly<Record<string, { readonly patch?: { readonly requestBody?: unknown } }>>;
    readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
  };
  const found: Readonly<Record<string, Member>>[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref: reference, properties } = value as {
      readonly $ref?: string;
      readonly properties?: unknown;
    };
    if (typeof reference === 'string') visit(components?.schemas?.[reference.split('/').at(-1) ?? '']);
    if (typeof properties === 'object' && properties !== null && 'label' in properties)
      found.push(properties as Readonly<Record<string, Member>>);
    else for (const one of Object.values(value)) visit(one);
  };
  for (const { patch } of Object.values(paths)) visit(patch?.requestBody);
  return found;
}

const lamps = (name: string, columns: ConfigObject): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'lamps',
  route: `/${name}[/:code]`,
  route_identifier_name: 'code',
  columns,
  collection: { POST: {} },
  entity: { GET: {}, PATCH: {} },
});

describeOnBothDatabases(
  'a column that is NOT NULL, and that clients cannot write',
  {
    sql: () => `CREATE TABLE lamps (code VARCHAR(9) PRIMARY KEY, label VARCHAR(9) NOT NULL, size INTEGER);
      INSERT INTO lamps (code, label) VALUES ('a', 'Globe')`,
    services: {
      ReadOnly: lamps('ReadOnly', { code: {}, label: { read_only: true }, size: {} }),
      Hidden: lamps('Hidden', { code: {}, size: {} }),
    },
  },
  ({ it, platform }) => {
    it.each(['ReadOnly', 'Hidden'])('is not a mistake of the client: %s', async (service) => {
      const body = { code: 'b', size: 1 };
      for (const sent of [body, [body]]) {
        const response = await platform().request(`/${service}`, sendJson(sent));
        expect([response.status, (await bodyOf(response)).type]).toEqual([
          503,
          '/platform/errors#database_mismatch',
        ]);
      }
      const errors = platform().log.lines.filter(
        ({ level, details }) => level === 'error' && JSON.stringify(details).includes(service),
      );
      expect(errors).toHaveLength(1);
      expect((await platform().request(`/${service}/a`, sendJson({ size: 2 }, 'PATCH'))).status).toBe(200);
    });
  },
);
