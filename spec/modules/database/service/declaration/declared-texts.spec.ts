import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../../../src/framework';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { defineApi, type ApiDefinition } from '../../../../../src/modules/hosting';
import { defineTableService } from '../../../../../src/modules/database';
import { startTestPlatform } from '../../../../factories/platform';
import { HOSTING } from '../../../../factories/processes/start-refusal';

/** @param keyType INTEGER for keys of the database, TEXT for keys that clients choose */
function projectOf(api: ApiDefinition, keyType: string, configured: ConfigObject) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'texts-')), 'shop.sqlite');
  const database = openDatabase(file);
  database.exec(`CREATE TABLE makers (id ${keyType} PRIMARY KEY, name TEXT NOT NULL)`);
  database.close();
  return {
    modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
    extra: [{ name: 'shop', requires: ['database'], apis: [api] }],
    local: {
      'platform-db': { adapters: { shop: { adapter: 'SqliteAdapter', options: { file } } } },
      'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Maker: configured } } } } } },
    },
  };
}

const api = defineApi({
  name: 'Shop',
  versions: {
    1: {
      services: {
        Maker: defineTableService({
          adapter_name: 'shop',
          table_name: 'makers',
          route: '/makers[/:id]',
          route_identifier_name: 'id',
          columns: { id: {}, name: { description: 'In code.' } },
          filters: { name: ['eq'] },
          collection: { GET: {}, POST: {} },
        }),
      },
    },
  },
});

describe('texts that configuration declares for a table service', () => {
  it.each(['INTEGER', 'TEXT'])(
    'replace those of columns and filters, and add no members (%s)',
    async (keyType) => {
      const platform = await startTestPlatform(
        projectOf(api, keyType, {
          fields: {
            properties: { name: { description: 'In configuration.' }, other: { description: 'None.' } },
          },
          collection: { GET: { query: { properties: { 'name.eq': { description: 'The exact name.' } } } } },
        }),
      );
      try {
        for (const accept of ['application/json', 'application/vnd.apidesc+json']) {
          const response = await platform.request('/platform/documentation/Shop-v1/Maker', {
            headers: { accept },
          });
          const text = await response.text();
          expect(text).toContain('In configuration.');
          expect(text).toContain('The exact name.');
          expect(text).not.toContain('In code.');
          expect(text).not.toContain('None.');
        }
        expect((await platform.request('/makers?name.eq=x')).status).toBe(200);
      } finally {
        await platform.stop();
      }
    },
  );
});

it.each(['INTEGER', 'TEXT'])(
  'limits that configuration declares apply to new entities (%s)',
  async (keyType) => {
    const configured = { fields: { properties: { name: { minLength: 3 } } } };
    const platform = await startTestPlatform(projectOf(api, keyType, configured));
    try {
      const statuses = ['ab', 'abc'].map(async (name) => {
        const body = JSON.stringify(keyType === 'TEXT' ? { id: name, name } : { name });
        const headers = { 'content-type': 'application/json' };
        return (await platform.request('/makers', { method: 'POST', headers, body })).status;
      });
      expect(await Promise.all(statuses)).toEqual([422, 201]);
    } finally {
      await platform.stop();
    }
  },
);
