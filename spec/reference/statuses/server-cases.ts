import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AdminPlatform } from '../../factories/admin/admin';
import { parseAnswer, sendRaw, type RawAnswer } from '../../factories/http/raw-http';
import { basic } from '../../factories/http/requests';
import { requestBytes, type StatusCase } from './status-case';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Where uploaded files are stored temporarily. */
export const UPLOADS = 'uploads';

/** How many passwords may wait for verification. */
const WAITING = 256;

/** How many of one address. */
const PENDING = 8;

/** Responses of the server, whatever the API. */
export const serverCases: readonly StatusCase[] = [
  {
    method: 'POST',
    path: '/desk/notes',
    fields: { ...JSON_TYPE, Expect: '100-continue' },
    body: '{"text":"Milk"}',
    reader: 'Send the body. The response follows.',
  },
  { path: '/platform/documentation', fields: { Accept: 'text/html' }, reader: 'The HTML page.' },
  {
    path: '/',
    reader: 'Redirects to the documentation.',
  },
  { path: '/platform/documentation/Desk/', reader: 'Redirects to the URL without the trailing slash.' },
  {
    when: 'With the `ETag` of the last response',
    path: '/platform/documentation',
    shown: '`If-None-Match: …`',
    prepare: async (platform) => {
      const { headers } = await platform.request('/platform/documentation', {
        headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
      });
      return { 'If-None-Match': headers.get('etag') ?? '' };
    },
    reader: 'Not modified: your copy is current.',
  },
  { path: '/desk/notes/%zz' },
  {
    path: '/desk/notes',
    shown: 'without `Host`',
    send: (platform) => sendRaw(platform.origin, 'GET /desk/notes HTTP/1.1\r\nConnection: close\r\n\r\n'),
  },
  {
    path: '/desk/notes',
    shown: '`No field at all`',
    send: (platform) => sendRaw(platform.origin, 'GET /desk/notes HTTP/1.1\r\nNo field at all\r\n\r\n'),
  },
  {
    path: '/desk/notes',
    shown: 'with an empty `Host`',
    send: (platform) => sendRaw(platform.origin, 'GET /desk/notes HTTP/1.1\r\nHost:\r\n\r\n'),
  },
  {
    method: 'POST',
    path: '/desk/notes',
    shown: '`Transfer-Encoding: gzip`',
    send: (platform) =>
      sendRaw(platform.origin, 'POST /desk/notes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n'),
  },
  {
    path: '/desk/notes',
    shown: 'in HTTP/0.9',
    send: (platform) => sendRaw(platform.origin, 'GET /desk/notes\r\n\r\n'),
  },
  {
    path: '/desk/notes',
    shown: 'with the method `FETCH`',
    send: (platform) => sendRaw(platform.origin, 'FETCH /desk/notes HTTP/1.1\r\nHost: a\r\n\r\n'),
  },
  { path: '/platform/documentation/Nothing' },
  { path: '/platform/documentation/Desk-v7' },
  { path: '/platform/documentation/Desk/Nothing' },
  { method: 'POST', path: '/platform/documentation' },
  { path: '/platform/documentation', fields: { Accept: 'image/png' } },
  {
    path: '/platform/admin',
    fields: { 'X-Forwarded-For': '192.0.2.7' },
  },
  { path: '/platform/documentation?format=pdf' },
  { path: '/desk/notes', fields: { Expect: 'tea' } },
  {
    when: 'After ten wrong passwords',
    path: '/desk/diary',
    fields: { Authorization: basic('mallory', 'guess') },
    prepare: async (platform) => {
      const headers = { Authorization: basic('mallory', 'wrong') };
      for (let failure = 0; failure < 10; failure++) await platform.request('/desk/diary', { headers });
      return undefined;
    },
  },
  {
    path: '/desk/notes',
    shown: 'with a URL of 10 KB',
    send: ({ origin }) =>
      sendRaw(origin, `GET /desk/notes?q=${'a'.repeat(10_000)} HTTP/1.1\r\nHost: a\r\n\r\n`),
  },
  {
    path: '/desk/notes',
    shown: 'with more than 100 header fields',
    send: ({ origin }) =>
      sendRaw(origin, `GET /desk/notes HTTP/1.1\r\nHost: a\r\n${'X: 1\r\n'.repeat(100)}\r\n`),
  },
  {
    path: '/desk/notes',
    shown: '`X-Long: …`, of 20 KB',
    fields: { 'X-Long': 'a'.repeat(20_000) },
  },
  {
    when: 'A file has the name of the upload folder',
    method: 'POST',
    path: '/desk/drawings',
    fields: { 'Content-Type': 'multipart/form-data; boundary=edge' },
    body: '--edge\r\nContent-Disposition: form-data; name="drawing"; filename="a"\r\n\r\na\r\n--edge--\r\n',
    shown: '`Content-Type: multipart/form-data; boundary=edge`, with a file',
    prepare: (platform) => {
      const folder = path.join(platform.root, UPLOADS);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
      return Promise.resolve(undefined);
    },
  },
];

/** With throttling off, where one address may fill the queue. */
export const busyCases: readonly StatusCase[] = [
  {
    when: `While ${WAITING} passwords are pending`,
    path: '/desk/diary',
    shown: '`Authorization: Basic …`',
    send: (platform) => flood(platform, WAITING + 200, 503),
  },
];

/** With throttling off, where an address has its default share of the queue. */
export const pendingCases: readonly StatusCase[] = [
  {
    when: `While ${PENDING} passwords from the same address are pending`,
    path: '/desk/diary',
    shown: '`Authorization: Basic …`',
    send: (platform) => flood(platform, PENDING + 20, 429),
  },
];

/** So many concurrent requests that the last are rejected. */
async function flood({ origin }: AdminPlatform, count: number, status: number): Promise<RawAnswer> {
  const attempts = Array.from({ length: count }, (_, at) =>
    requestBytes(origin, {
      path: '/desk/diary',
      fields: { Connection: 'keep-alive', Authorization: basic('ada', `guess ${at}`) },
    }),
  );
  const { text } = await sendRaw(origin, attempts.join(''), 2_000);
  const refused = text.split(/(?=HTTP\/1\.1 )/).find((one) => one.startsWith(`HTTP/1.1 ${status}`));
  return parseAnswer(refused ?? text);
}

/** With a rate limit of one request. */
export const rateLimitCases: readonly StatusCase[] = [
  { path: '/desk/notes', reader: 'The notes.' },
  { when: 'After a request, with a rate limit of 1 request per minute', path: '/desk/notes' },
];

/** With limits that every request reaches. */
export const limitCases: readonly StatusCase[] = [
  {
    when: '`body_members` is 3',
    method: 'POST',
    path: '/desk/notes',
    fields: JSON_TYPE,
    body: '{"text":[1,2,3]}',
  },
];
