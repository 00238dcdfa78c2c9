import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ADMIN, PASSWORD, type AdminPlatform } from '../../factories/admin/admin';
import { sendRaw } from '../../factories/http/raw-http';
import { basic } from '../../factories/http/requests';
import type { StatusCase as hostCase } from './status-case';

const API = `${ADMIN}/api/v1`;
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
const LOGIN = 'As an administrator';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

type Call = Omit<hostCase, 'path' | 'body'> & { readonly value?: unknown };

/** A call of the admin API by an administrator. */
function call(method: string, below: string, { value, prepare, when, ...more }: Call = {}): hostCase {
  return {
    when: when === undefined ? LOGIN : `${LOGIN}, ${when}`,
    method,
    path: API + below,
    ...(value === undefined ? {} : { body: JSON.stringify(value) }),
    prepare: async (platform) => ({
      ...AS_ADA,
      ...(value === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(await prepare?.(platform)),
    }),
    ...more,
  };
}

const describing = (text: string) => ({ texts: [{ key: '/description', text }] });
const TEXTS = '/documentation-texts/Atlas-v1';

/** Requests to the admin. */
export const adminCases: readonly hostCase[] = [
  { path: ADMIN, reader: 'Redirects to the sign-in page.' },
  { path: `${ADMIN}/claim?token=guessed` },
  {
    method: 'POST',
    path: `${ADMIN}/account`,
    fields: { ...FORM, 'Sec-Fetch-Site': 'cross-site' },
    body: 'csrf=',
  },
  {
    when: 'Signed in, with a form of another session',
    method: 'POST',
    path: `${ADMIN}/account`,
    fields: FORM,
    body: 'csrf=other',
    prepare: ({ ada }) => Promise.resolve({ Cookie: ada.cookie ?? '' }),
  },
  call('POST', '/reload', { fields: { 'Sec-Fetch-Site': 'cross-site' } }),
  call('GET', '/adapters/none'),
  call('POST', '/adapters', {
    value: { name: 'people', adapter: 'HttpAdapter', options: {} },
    shown: 'for an adapter name that is in use',
  }),
  call('DELETE', '/adapters/people', { when: 'while the map uses the adapter' }),
  call('DELETE', '/adapters/above', { when: 'an adapter of `zz.local.json`' }),
  call('DELETE', '/password-files/config%2Fone.htdigest/users/ada?realm=One', {
    when: 'the last user of the realm of a Digest adapter',
  }),
  call('PUT', '/map/Admin', { value: { adapters: ['people'] } }),
  call('PUT', '/map/Desk', {
    value: { adapters: ['people', 'one'] },
    when: 'with a Basic and a Digest adapter',
  }),
  call('POST', '/adapters', { value: { name: 'x', adapter: 'NoAdapter', options: {} } }),
  call('POST', '/undo', {
    value: { revision: 1 },
    when: 'after revision 2 changed the same key',
    prepare: async (platform) => {
      for (const text of ['First.', 'Second.']) {
        await platform.request(API + TEXTS, {
          method: 'PATCH',
          headers: { ...AS_ADA, 'Content-Type': 'application/json' },
          body: JSON.stringify(describing(text)),
        });
      }
      return undefined;
    },
  }),
  call('PATCH', TEXTS, { value: describing('Third.'), fields: { 'If-Match': '"old"' } }),
  call('PATCH', TEXTS, {
    value: { visibility: [{ key: '/visibility', visibility: 'authenticated' }] },
    when: 'with the role `editor`',
    prepare: (platform) => withAccount(platform, '{ "ada": { "role": "editor" } }'),
  }),
  {
    when: 'Signed in, with the role `viewer`',
    method: 'POST',
    path: `${ADMIN}/selectors`,
    fields: FORM,
    body: 'name=Xml',
    prepare: (platform) => withAccount(platform, '{ "ada": { "role": "viewer" } }'),
  },
  call('GET', '/adapters', {
    when: 'who has a second factor',
    prepare: (platform) =>
      withAccount(
        platform,
        `{ "ada": { "role": "administrator", "second_factor": { "secret": "${'A'.repeat(32)}" } } }`,
      ),
  }),
  {
    when: 'Signed in, with an invalid file of roles',
    path: ADMIN,
    prepare: (platform) => withAccount(platform, '{'),
  },
];

/** Sets the role and the second factor of the administrator `ada`. */
function withAccount({ ada, root }: AdminPlatform, text: string): Promise<Record<string, string>> {
  writeFileSync(path.join(root, 'data/administrators.json'), text);
  return Promise.resolve({ Cookie: ada.cookie ?? '' });
}

/** Where `platform-admin.allow` contains other networks only. */
export const networkCases: readonly hostCase[] = [
  { when: 'From a network that `platform-admin.allow` does not list', path: ADMIN },
];

export const hostProvocation: hostCase = {
  when: 'With a host name that `platform-admin.hosts` does not list',
  path: ADMIN,
  fields: { Host: 'evil.example' },
  send: ({ origin }) =>
    sendRaw(origin, `GET ${ADMIN} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`),
};
