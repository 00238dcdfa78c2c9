import {
  ContainerModule,
  TableResource,
  type Module,
  type ResourceContext,
} from '../../../../../src/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly stock?: number;
}

let stock = 1;

/** Returns copies of entities, with another value and one from elsewhere. */
class CopyingResource extends TableResource<Thing> {
  override async fetch(id: string, context: ResourceContext): Promise<Thing | undefined> {
    return copyOf(await super.fetch(id, context));
  }

  override async create(data: Partial<Thing>, context: ResourceContext): Promise<Thing> {
    const made = await super.create(data, context);
    return copyOf(made) ?? made;
  }
}

function copyOf(thing: Thing | undefined): Thing | undefined {
  return thing && { ...thing, name: thing.name.toUpperCase(), stock };
}

const things: Module = {
  name: 'things',
  requires: ['database'],
  services: new ContainerModule(({ bind }) => {
    bind('Copies').toConstantValue(new CopyingResource());
  }),
};

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    const service = {
      table_name: 'things',
      columns: { id: {}, name: {}, version: {} },
      resource: 'Copies',
      collection: { POST: {} },
      entity: { GET: {}, PATCH: {} },
    };
    platform = await start({
      script: 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, version INTEGER NOT NULL DEFAULT 1)',
      extra: [things],
      services: {
        Hashed: { ...service, route: '/hashed[/:id]' },
        Counted: { ...service, route: '/counted[/:id]', revision: 'version' },
        Hidden: {
          ...service,
          columns: { id: {}, name: {} },
          route: '/hidden[/:id]',
          revision: dialect === 'sqlite' ? 'version' : 'xmin',
        },
      },
    });
  }, 60_000);
  afterEach(() => platform.database.runScripts(['DELETE FROM things']));

  it.each(['/hashed', '/counted', '/hidden'])(
    'a copy of an entity has an ETag that If-Match accepts until the row changes: %s',
    async (route) => {
      const made = await platform.request(route, sendJson({ id: 1, name: 'Lamp' }));
      expect(await bodyOf(made)).toMatchObject({ name: 'LAMP' });
      const fetched = await platform.request(`${route}/1`);
      expect(fetched.headers.get('etag')).toBe(made.headers.get('etag'));
      const patch = (name: string): Promise<Response> =>
        platform.request(
          `${route}/1`,
          sendJson({ name }, 'PATCH', { 'If-Match': fetched.headers.get('etag') ?? '' }),
        );
      expect((await patch('Vase')).status).toBe(200);
      expect((await patch('Bowl')).status).toBe(412);
    },
  );

  it.each(['/hashed', '/counted', '/hidden'])(
    'a copy of an entity whose value from elsewhere has changed is sent again: %s',
    async (route) => {
      await platform.request(route, sendJson({ id: 1, name: 'Lamp' }));
      const get = (tag = ''): Promise<Response> =>
        platform.request(`${route}/1`, { headers: { 'If-None-Match': tag } });
      const tag = (await get()).headers.get('etag') ?? '';
      expect((await get(tag)).status).toBe(304);
      stock += 1;
      expect((await get(tag)).status).toBe(200);
    },
  );
});
