import { LocalConfiguration, Problem, type ConfigValue } from '../../../../../src/framework';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import {
  productService,
  startDatabasePlatform,
  type DatabasePlatform,
} from '../../../../factories/admin/admin-databases';

const SHOP = ['platform-hosting', 'apis', 'Shop'];
const ATLAS = ['platform-hosting', 'apis', 'Atlas'];
const NOTE = [...SHOP, 'versions', '1', 'services', 'Note'];
const PRODUCT = [...SHOP, 'versions', '1', 'services', 'Product'];

const note = {
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  resource: 'not-implemented',
  fields: {
    type: 'object',
    properties: { id: { type: 'string' }, description: {}, old: { description: 'Old.' } },
  },
  collection: { GET: {} },
  entity: { DELETE: { description: 'Removes a note.' } },
};

/** A column with the name of a text. */
const COLUMN = 'ALTER TABLE products ADD COLUMN description TEXT;';

let platform: DatabasePlatform;
let changes: ConfigurationChanges;
beforeAll(async () => {
  platform = await startDatabasePlatform(
    { Product: productService, Note: note },
    { hasAtlas: true, sql: COLUMN },
  );
  changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
});
afterAll(() => platform.stop());

/** Reviews a change of an editor. @returns 200, or the status of its problem */
async function statusOf(path: readonly string[], value: ConfigValue | undefined): Promise<number> {
  const change = { summary: 'Changed something.', subject: path, edits: [{ path, value }] };
  return await changes.preview(change, { name: 'eve', via: 'page', role: 'editor' }).then(
    () => 200,
    (error: unknown) => {
      if (error instanceof Problem) return error.status;
      throw error;
    },
  );
}

describe('An editor', () => {
  it.each<[string, string[], ConfigValue]>([
    ['an API', [...SHOP, 'description'], 'Sells.'],
    [
      'an operation that code declares',
      [...ATLAS, 'versions', '1', 'services', 'Country', 'collection', 'GET', 'description'],
      'Lists.',
    ],
    ['a request', [...NOTE, 'collection', 'GET', 'request_description'], 'None.'],
    ['a field', [...NOTE, 'fields', 'properties', 'id', 'description'], 'Its key.'],
    [
      'a field of this name',
      [...NOTE, 'fields', 'properties', 'description', 'description'],
      'What it says.',
    ],
    ['a column', [...PRODUCT, 'columns', 'name', 'description'], 'Its name.'],
  ])('may change the text of %s', async (_, path, text) => {
    expect(await statusOf(path, text)).toBe(200);
  });

  it.each<[string, string[], ConfigValue | undefined]>([
    ['a field with the name of a text', [...NOTE, 'fields', 'properties', 'description'], undefined],
    ['a field of which only the text is declared', [...NOTE, 'fields', 'properties', 'old'], undefined],
    ['an operation of which only the text is declared', [...NOTE, 'entity', 'DELETE'], undefined],
    ['an operation by its text', [...NOTE, 'collection', 'POST'], { description: 'Adds a note.' }],
    ['a column by its text', [...PRODUCT, 'columns', 'state', 'description'], 'Open or closed.'],
    ['what a column with this name is', [...PRODUCT, 'columns', 'description'], {}],
    ['which rows clients see', [...PRODUCT, 'rows', 'description'], 'identity.name'],
    [
      'a default with the key of a text',
      [...NOTE, 'fields', 'properties', 'id', 'default', 'description'],
      'x',
    ],
  ])('may not change %s', async (_, path, value) => {
    expect(await statusOf(path, value)).toBe(403);
  });
});
