import { hash as digest } from 'node:crypto';
import { describeOnBothDatabases } from '../../../factories/database/both-databases';
import { DigestClient } from '../../../factories/sign-in/digest-client';
import { basic, sendJson } from '../../../factories/http/requests';
import { Guards } from '../../../../src/modules/mvc-auth';
import { hashWithBcrypt } from '../../../../src/modules/mvc-auth/passwords/hashes/bcrypt-hash';
import type { ConfigObject } from '../../../../src/framework';

const secretOf = (algorithm: string, name: string): string =>
  digest(algorithm, `${name}:shop:pw-${name}`, 'hex');

/** Of the password `secret`. */
const SHA = '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=';
const APR1 = '$apr1$abcdefgh$h9FWgUz3n9YxylKLlR5SQ/';

let bcrypt = '';
const NAMES = ['ada', 'bob', 'cyd', "o'hara", 'zoë'];

const users: ConfigObject = {
  db: 'shop',
  table: 'accounts',
  name: 'email',
  hash: 'password_hash',
  ha1: { MD5: 'ha1_md5', 'SHA-256': 'ha1_sha256' },
  groups: 'roles',
  enabled: 'active',
};
const service = (route: string): ConfigObject => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'accounts',
  route: `${route}[/:id]`,
  route_identifier_name: 'id',
  entity_identifier_name: 'id',
  collection_name: 'accounts',
  columns: { id: {}, email: {}, roles: {}, active: {} },
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PATCH: {} },
});

describeOnBothDatabases(
  'Users of a table',
  {
    sql: (dialect) => {
      const id = 'id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY';
      const columns = `email text NOT NULL UNIQUE, password_hash text, ha1_md5 text, ha1_sha256 text, roles ${dialect === 'postgres' ? 'text[]' : 'text'}, active boolean NOT NULL DEFAULT ${dialect === 'postgres' ? 'true' : '1'}`;
      const groups: Readonly<Record<string, readonly string[]>> = {
        ada: ['staff', 'admins'],
        bob: ['staff'],
      };
      const rows = NAMES.map((name) => {
        const roles = groups[name] ?? [];
        const stored = dialect === 'postgres' ? `{${roles.join(',')}}` : roles.join(', ');
        const quoted = name.replaceAll("'", "''");
        return `('${quoted}', 'HASH', '${secretOf('md5', name)}', '${secretOf('sha256', name).toUpperCase()}', '${stored}')`;
      });
      return `CREATE TABLE accounts (${dialect === 'postgres' ? id : 'id INTEGER PRIMARY KEY'}, ${columns});
        INSERT INTO accounts (email, password_hash, ha1_md5, ha1_sha256, roles) VALUES ${rows.join(', ')};
        INSERT INTO accounts (email, password_hash) VALUES ('sha', '${SHA}'), ('apr', '${APR1}'), ('none', NULL), ('odd', 'not a hash');
        INSERT INTO accounts (email, password_hash, active) VALUES ('gone', '${SHA}', ${dialect === 'postgres' ? 'false' : '0'});`;
    },
    services: { Basic: service('/basic'), Digest: service('/digest'), Staff: service('/staff') },
    options: {
      local: {
        'platform-mvc-auth': {
          authentication: {
            adapters: {
              basic: { adapter: 'HttpAdapter', options: { accept_schemes: ['basic'], realm: 'shop', users } },
              digest: {
                adapter: 'HttpAdapter',
                options: { accept_schemes: ['digest'], realm: 'shop', nonce_timeout: '300', users },
              },
            },
            map: { 'Shop/Basic': 'basic', 'Shop/Digest': 'digest', 'Shop/Staff': 'basic' },
          },
          authorization: {
            Shop: {
              Basic: { collection: { GET: 'authenticated', POST: 'guest' } },
              Digest: { collection: { GET: 'authenticated' } },
              Staff: { collection: { GET: ['@staff'] } },
            },
          },
          throttling: { enabled: false },
        },
      },
    },
  },
  ({ it, dialect, platform, execute }) => {
    beforeAll(async () => {
      bcrypt = await hashWithBcrypt('secret', 4);
      await execute(`UPDATE accounts SET password_hash = '${bcrypt}' WHERE password_hash = 'HASH'`);
    });
    const get = (path: string, name: string, password = 'secret'): Promise<Response> =>
      platform().request(path, { headers: { Authorization: basic(name, password) } });
    const statusOf = async (...given: Parameters<typeof get>): Promise<number> =>
      (await get(...given)).status;
    const patch = async (path: string, changes: ConfigObject): Promise<void> => {
      const answer = await platform().request(path, sendJson(changes, 'PATCH'));
      expect([200, await answer.text()]).toEqual([answer.status, expect.any(String)]);
    };
    const digestStatus = async (name: string, password = `pw-${name}`): Promise<number> =>
      (await new DigestClient({ username: name, password }).fetch(`${platform().origin}/digest`)).status;

    it('signs in with Basic, with every kind of hash that password files take', async () => {
      for (const name of [...NAMES, 'sha', 'apr']) expect(await statusOf('/basic', name)).toBe(200);
    });

    it('looks users up without credentials, unless they cannot sign in', async () => {
      const guards = await platform().application.services.get(Guards);
      const lookUp = (adapter: string, name: string) => guards.adapter(adapter)?.adapter.lookUp?.(name);
      expect(await lookUp('basic', 'ada')).toEqual({
        username: 'ada',
        groups: ['staff', 'admins'],
        scopes: [],
      });
      expect(await lookUp('digest', 'bob')).toMatchObject({ groups: ['staff'] });
      for (const name of ['nobody', 'gone', 'none']) expect(await lookUp('basic', name)).toBeUndefined();
      expect(await lookUp('digest', 'sha')).toBeUndefined();
    });

    it('refuses a wrong password, an unknown name, a disabled user and one without a usable hash alike', async () => {
      const bodies = new Set<string>();
      const users = [['ada', 'wrong'], ['nobody'], ['gone'], ['none'], ['odd'], ['ADA'], ["x' OR '1'='1"]];
      for (const [name = '', password] of users) {
        const answer = await get('/basic', name, password);
        expect(answer.status).toBe(401);
        bodies.add(await answer.text());
      }
      expect(bodies.size).toBe(1);
      expect(JSON.stringify(platform().log.lines)).toContain('the hash of user \\"odd\\"');
    });

    it('answers concurrent requests of a user who has to be read again', async () => {
      expect(await statusOf('/basic', 'zoë')).toBe(200);
      const list = (await (await get('/basic', 'zoë')).json()) as {
        accounts: { id: number; email: string }[];
      };
      // After a write by this process, nobody is remembered.
      await patch(`/basic/${String(list.accounts.find(({ email }) => email === 'zoë')?.id)}`, {
        active: true,
      });
      const basics = Array.from({ length: 20 }, () => statusOf('/basic', 'zoë'));
      expect(new Set(await Promise.all(basics))).toEqual(new Set([200]));
    });

    it('assigns groups', async () => {
      expect(await statusOf('/staff', 'ada')).toBe(200);
      expect(await statusOf('/staff', 'bob')).toBe(200);
      expect(await statusOf('/staff', 'cyd')).toBe(403);
    });

    it('offers Digest with the algorithms that have a column, and signs in', async () => {
      const challenge = (await platform().request('/digest')).headers.get('www-authenticate');
      expect(challenge?.match(/algorithm=[^,]+/g)).toEqual(['algorithm=SHA-256', 'algorithm=MD5']);
      for (const name of ['ada', "o'hara"]) expect(await digestStatus(name)).toBe(200);
      for (const name of ['sha', 'nobody', 'gone']) expect(await digestStatus(name)).toBe(401);
      expect(await digestStatus('ada', 'wrong')).toBe(401);
    });

    it('applies a change through the API at once', async () => {
      expect(await statusOf('/basic', 'bob')).toBe(200);
      expect(await digestStatus('bob')).toBe(200);
      const list = (await (await get('/basic', 'bob')).json()) as {
        accounts: { id: number; email: string }[];
      };
      const bob = list.accounts.find(({ email }) => email === 'bob');
      const path = `/basic/${String(bob?.id)}`;
      await patch(path, { active: false });
      expect(await statusOf('/basic', 'bob')).toBe(401);
      expect(await digestStatus('bob')).toBe(401);
      await patch(path, { active: true });
      expect(await statusOf('/basic', 'bob')).toBe(200);
      const roles = dialect === 'postgres' ? ['other'] : '["other"]';
      expect(await statusOf('/staff', 'bob')).toBe(200);
      await patch(path, { roles });
      expect(await statusOf('/staff', 'bob')).toBe(403);
    });

    it('applies a change by another process within seconds', async () => {
      expect(await statusOf('/basic', 'cyd')).toBe(200);
      await execute(
        `UPDATE accounts SET password_hash = '${SHA.replace('{SHA}5', '{SHA}6')}' WHERE email = 'cyd'`,
      );
      const until = Date.now() + 30_000;
      while ((await statusOf('/basic', 'cyd')) === 200 && Date.now() < until)
        await new Promise((done) => setTimeout(done, 200));
      expect(await statusOf('/basic', 'cyd')).toBe(401);
    });
  },
);
