import type { ConfigObject } from '../../../src/framework';
import { basic, bodyOf, sendJson } from '../http/requests';
import type { TestPlatform } from '../platform';

/** The service of a table of the adapter "shop" with texts, whose rows are those of the user in their column `owner`. */
export function ownedTable(name: string): ConfigObject {
  return {
    kind: 'table',
    adapter_name: 'shop',
    table_name: name,
    route: `/${name}[/:id]`,
    route_identifier_name: 'id',
    columns: { id: {}, text: {} },
    rows: { owner: 'identity.name' },
    collection: { GET: {}, POST: {} },
    entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
  };
}

/** Requests of users, whose password is `password`. */
export function userRequests(platform: () => TestPlatform) {
  const send = (as: string, path: string, method = 'GET', body?: unknown) => {
    const headers = { Authorization: basic(as, 'password') };
    return platform().request(
      path,
      body === undefined ? { method, headers } : sendJson(body, method, headers),
    );
  };
  /** The texts of the rows that a user sees. */
  const textsOf = async (as: string, table: string) =>
    ((await bodyOf(await send(as, `/${table}`))).items as { text: string }[]).map(({ text }) => text);
  return { send, textsOf };
}
