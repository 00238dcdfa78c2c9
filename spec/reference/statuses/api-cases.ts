import { basic } from '../../factories/http/requests';
import type { StatusCase } from './status-case';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const BOB = { Authorization: basic('bob', 'password') };
const FORM = { 'Content-Type': 'multipart/form-data; boundary=edge' };

const drawing = (content: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="drawing"; filename="a.txt"\r\n\r\n${content}\r\n--edge--\r\n`;

/** Requests to APIs, and their responses. */
export const apiCases: readonly StatusCase[] = [
  { path: '/desk/notes/1', reader: 'The entity.' },
  {
    method: 'POST',
    path: '/desk/notes',
    fields: JSON_TYPE,
    body: '{"text":"Milk"}',
    reader: 'Created. `Location` is its URL.',
  },
  {
    method: 'PUT',
    path: '/desk/notes/9',
    fields: JSON_TYPE,
    body: '{"text":"Milk"}',
    reader: 'Created, because it did not exist.',
  },
  {
    method: 'DELETE',
    path: '/desk/notes/1',
    fields: { 'If-Match': '"1"' },
    reader: 'Deleted. The response has no body.',
  },
  { method: 'OPTIONS', path: '/desk/notes', reader: '`Allow` lists the supported methods.' },
  {
    method: 'OPTIONS',
    path: '/desk/notes',
    fields: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    reader: 'The response to a preflight, sent before authentication.',
  },
  {
    path: '/desk/notes/1',
    fields: { 'If-None-Match': '"1"' },
    reader: 'Not modified: your copy is current.',
  },
  { path: '/v2/desk/notes', fields: { Accept: 'application/vnd.desk.v1+json' } },
  { path: '/desk/notes?colour=red' },
  { path: '/desk/notes?page=0' },
  { path: '/desk/notes?page_size=1000' },
  { method: 'POST', path: '/desk/notes', fields: JSON_TYPE, body: '{"text":' },
  { method: 'POST', path: '/desk/notes', fields: JSON_TYPE, body: '{"text":"a","text":"b"}' },
  {
    method: 'POST',
    path: '/desk/drawings',
    fields: FORM,
    body: `--edge\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n${'['.repeat(201)}${']'.repeat(201)}\r\n--edge--\r\n`,
    shown:
      '`Content-Type: multipart/form-data; boundary=edge`, with a field of `application/json` that is a list in 200 others',
  },
  { method: 'POST', path: '/desk/drawings', fields: FORM, body: '--edge' },
  {
    method: 'PUT',
    path: '/desk/notes/1',
    fields: { ...JSON_TYPE, 'If-Match': '1' },
    body: '{"text":"Milk"}',
  },
  { path: '/desk/diary' },
  { path: '/v2/atlas/visits' },
  { path: '/desk/diary', fields: { Authorization: basic('bob', 'wrong') } },
  { path: '/v1/atlas/countries/DE', fields: { Authorization: 'Bearer abc' } },
  { path: '/desk/diary', fields: BOB },
  { path: '/desk/diaries', fields: BOB },
  { when: 'No adapter is mapped to the service', path: '/desk/safe' },
  { path: '/nowhere' },
  { path: '/v7/desk/notes' },
  { path: '/desk/notes/7' },
  { path: '/desk/notes?page=9' },
  { method: 'PATCH', path: '/desk/notes' },
  { method: 'TRACE', path: '/desk/notes' },
  { path: '/desk/notes', fields: { Accept: 'image/png' } },
  {
    method: 'PUT',
    path: '/desk/notes/1',
    fields: { ...JSON_TYPE, 'If-Match': '"7"' },
    body: '{"text":"Milk"}',
  },
  {
    method: 'PUT',
    path: '/desk/notes/1',
    fields: { ...JSON_TYPE, 'If-None-Match': '*' },
    body: '{"text":"Milk"}',
  },
  {
    when: 'The limit of the service is 100 bytes',
    method: 'POST',
    path: '/desk/notes',
    fields: JSON_TYPE,
    body: `{"text":"${'a'.repeat(100)}"}`,
    shown: '`Content-Type: application/json`, 111 bytes',
  },
  {
    when: 'The file limit of the service is 10 bytes',
    method: 'POST',
    path: '/desk/drawings',
    fields: FORM,
    body: drawing('a'.repeat(11)),
    shown: '`Content-Type: multipart/form-data; boundary=edge`, with a file of 11 bytes',
  },
  { method: 'POST', path: '/desk/notes', fields: { 'Content-Type': 'text/csv' }, body: 'text' },
  { method: 'POST', path: '/desk/notes', body: '{"text":"Milk"}' },
  {
    method: 'POST',
    path: '/desk/notes',
    fields: { 'Content-Type': 'application/json; charset=latin1' },
    body: '{"text":"Milk"}',
  },
  {
    method: 'POST',
    path: '/desk/notes',
    fields: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    body: '{"text":"Milk"}',
  },
  { method: 'POST', path: '/desk/notes', fields: JSON_TYPE, body: '{"text":"","colour":1}' },
  { method: 'POST', path: '/desk/notes' },
  {
    when: 'The resource refuses to delete it',
    method: 'DELETE',
    path: '/desk/notes/pinned',
    fields: { 'If-Match': '"1"' },
  },
  { method: 'DELETE', path: '/desk/notes/1' },
  { path: '/desk/broken' },
  {
    when: 'The handler is "not-implemented"',
    path: '/desk/planned',
  },
  { when: 'The operation exceeds its timeout', path: '/desk/slow' },
];
