import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { createTestApplication, testIdentity, type TestInjection } from 'apidesc-platform/testing';
import { Attachments } from './attachments.js';
import { StaleIssues } from './stale-issues.js';

const folder = mkdtempSync(path.join(tmpdir(), 'issue-tracker-'));
const attachments = path.join(folder, 'attachments');
const users = path.join(folder, 'users.htdigest');
execFileSync('npx', ['apidesc-platform', 'htdigest', '-i', users, 'Tracker', 'ada'], {
  input: 'correct horse\n',
  stdio: ['pipe', 'ignore', 'inherit'],
});

/** SQLite, or the PostgreSQL of this URL. */
const { TEST_DATABASE_URL: url } = process.env;
const tracker =
  url === undefined
    ? { options: { file: path.join(folder, 'tracker.sqlite') } }
    : { adapter: 'PostgresAdapter', options: { url } };

// The project with its configuration, except config/autoload/local.json; it does not listen.
const app = await createTestApplication({
  root: '.',
  configuration: {
    'issue-tracker': { attachments },
    'platform-db': { adapters: { tracker } },
    'platform-mvc-auth': { authentication: { adapters: { tracker: { options: { htdigest: users } } } } },
    'platform-operations': { access_log: { enabled: false } },
  },
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const ada = testIdentity('ada', ['maintainers']);
const grace = testIdentity('grace', ['developers']);
const linus = testIdentity('linus', ['reporters']);
const eve = testIdentity('eve', ['reporters']);

type Identity = TestInjection['identity'];

const get = (path: string) => app.inject({ path });
const send = (method: string, path: string, identity?: Identity, json?: unknown) =>
  app.inject({ method, path, ...(identity && { identity }), ...(json === undefined ? {} : { json }) });

assert.equal((await send('POST', '/projects', ada, { key: 'web', name: 'Web site' })).status, 201);

async function report(title = 'Broken link', identity: Identity = linus): Promise<number> {
  const response = await send('POST', '/v2/issues', identity, { project_key: 'web', title });
  assert.equal(response.status, 201);
  return (await response.json()).id;
}

test('lets only maintainers add projects, and remove those without issues', async () => {
  const project = { key: 'app', name: 'App' };
  assert.equal((await send('POST', '/projects', grace, project)).status, 403);
  assert.equal((await send('POST', '/projects', ada, project)).status, 201);
  assert.equal((await send('POST', '/projects', ada, project)).status, 409);
  assert.equal((await send('DELETE', '/projects/app', ada)).status, 204);
  await report();
  assert.equal((await send('DELETE', '/projects/web', ada)).status, 409);
});

test('asks guests to sign in with Digest before they report an issue', async () => {
  const response = await send('POST', '/v2/issues', undefined, { project_key: 'web', title: 'X' });
  assert.equal(response.status, 401);
  assert.match(response.headers.get('www-authenticate') ?? '', /^Digest realm="Tracker"/);
});

test('notes who has reported an issue, whatever the body says', async () => {
  const response = await send('POST', '/v2/issues', linus, {
    project_key: 'web',
    title: 'Broken link',
    reporter: 'ada',
    status: 'closed',
  });
  const { id, reporter, priority, status } = await response.json();
  assert.deepEqual({ reporter, priority, status }, { reporter: 'linus', priority: 'normal', status: 'open' });
  assert.equal(response.headers.get('location'), `/v2/issues/${id}`);
});

test('explains what is wrong with an issue', async () => {
  const pointers = async (json: object) => {
    const response = await send('POST', '/v2/issues', linus, json);
    assert.equal(response.status, 422);
    return (await response.json()).errors.map(({ pointer }: { pointer: string }) => pointer);
  };
  assert.deepEqual(await pointers({ project_key: 'web', title: '', priority: 'huge' }), [
    '/title',
    '/priority',
  ]);
  assert.deepEqual(await pointers({ project_key: 'none', title: 'X' }), ['/project_key']);
});

test('lets its reporter and maintainers change an issue', async () => {
  const issue = `/v2/issues/${await report()}`;
  const status = async (identity: Identity) =>
    (await send('PATCH', issue, identity, { priority: 'high' })).status;
  assert.deepEqual(await Promise.all([linus, ada, eve, grace].map(status)), [200, 200, 403, 403]);
  const refused = await (await send('PATCH', issue, eve, {})).json();
  assert.equal(refused.detail, 'Only the reporter of the issue and maintainers may change it.');
  assert.equal((await send('PATCH', '/v2/issues/999999', eve, {})).status, 404);
});

test('does not overwrite a change that its client has not seen', async () => {
  const path = `/v2/issues/${await report()}`;
  const tag = (await get(path)).headers.get('etag') ?? '';
  const change = (title: string) =>
    app.inject({ method: 'PATCH', path, identity: linus, json: { title }, headers: { 'If-Match': tag } });
  assert.equal((await change('First')).status, 200);
  assert.equal((await change('Second')).status, 412);
});

test('has a status in version 2, and whether it is closed in version 1', async () => {
  const id = await report();
  const set = (version: number, identity: Identity, json: object) =>
    send('POST', `/v${version}/issues/${id}/status`, identity, json);
  assert.equal((await set(2, linus, { status: 'closed' })).status, 403);
  assert.equal((await set(2, grace, { status: 'in_progress' })).status, 200);
  const first = await (await get(`/v1/issues/${id}`)).json();
  assert.equal(first.closed, false);
  assert.ok(!('status' in first));
  assert.equal((await set(1, grace, { closed: true })).status, 200);
  assert.equal((await (await get(`/v2/issues/${id}`)).json()).status, 'closed');
  const { issues } = await (await get('/v1/issues?closed.eq=true&sort=-id')).json();
  assert.equal(issues[0].id, id);
  assert.equal((await set(2, grace, { closed: true })).status, 422);
  assert.equal((await send('POST', '/v2/issues/999999/status', grace, { status: 'open' })).status, 404);
});

test('keeps the comments of issues apart', async () => {
  const [one, two] = [await report(), await report()];
  assert.equal((await send('POST', `/issues/${one}/comments`, eve, { text: 'Me too' })).status, 201);
  const { comments } = await (await get(`/issues/${one}/comments`)).json();
  assert.deepEqual(
    comments.map(({ author, text }: { author: string; text: string }) => [author, text]),
    [['eve', 'Me too']],
  );
  assert.deepEqual((await (await get(`/issues/${two}/comments`)).json()).comments, []);
  assert.equal((await send('POST', '/issues/999999/comments', eve, { text: 'X' })).status, 422);
});

test('stores attachments, and deletes their files', async () => {
  const path = `/issues/${await report()}/attachments`;
  const upload = (to: string, content: string) => {
    const body = new FormData();
    body.append('file', new Blob([content]), '../plän.txt');
    return app.inject({ method: 'POST', path: to, body, identity: eve });
  };
  const created = await upload(path, 'Hello');
  assert.equal(created.status, 201);
  const { id, filename, size } = await created.json();
  assert.deepEqual({ filename, size }, { filename: 'plän.txt', size: 5 });
  assert.deepEqual(readdirSync(attachments), [id]);

  const content = await get(`${path}/${id}/content`);
  assert.equal(await content.text(), 'Hello');
  assert.match(
    content.headers.get('content-disposition') ?? '',
    /^attachment; filename\*=UTF-8''pl%C3%A4n\.txt$/,
  );
  assert.equal((await get(`/issues/${await report()}/attachments/${id}/content`)).status, 404);
  assert.equal((await send('DELETE', `${path}/${id}`, eve)).status, 403);
  assert.equal((await send('DELETE', `${path}/${id}`, linus)).status, 204);
  assert.equal((await upload(path, 'x'.repeat(5_000_001))).status, 422);
  assert.equal((await upload('/issues/999999/attachments', 'Hello')).status, 404);
  assert.deepEqual(readdirSync(attachments), []);
});

test('deletes the files of removed issues after an hour', async () => {
  const issue = await report();
  const body = new FormData();
  body.append('file', new Blob(['Hello']), 'hello.txt');
  await app.inject({ method: 'POST', path: `/issues/${issue}/attachments`, body, identity: linus });
  const service = await app.application.services.get(Attachments);
  const [file = ''] = readdirSync(attachments);
  utimesSync(path.join(attachments, file), 0, 0);
  assert.equal(await service.removeOrphans(), 0);
  assert.equal((await send('DELETE', `/issues/${issue}`, ada)).status, 204);
  assert.equal(await service.removeOrphans(), 1);
  assert.deepEqual(readdirSync(attachments), []);
});

test(
  'sends changes to those who listen, and nothing about requests that fail',
  { timeout: 10_000 },
  async () => {
    const headers = { Accept: 'text/event-stream' };
    const { body } = await app.inject({ path: '/v2/changes', headers });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    await send('POST', '/v2/issues', linus, { project_key: 'web', title: '' });
    const id = await report();
    let received = '';
    while (!received.endsWith('\n\n')) received += (await reader?.read())?.value ?? '';
    assert.equal(received, `event: change\ndata: {"service":"Issue","method":"POST","issue_id":${id}}\n\n`);
    await reader?.cancel();
  },
);

test('closes issues that nobody has changed for 90 days', async () => {
  const id = await report();
  const stale = await app.application.services.get(StaleIssues);
  assert.equal(await stale.close(Date.now() + 89 * 86_400_000), 0);
  assert.ok((await stale.close(Date.now() + 91 * 86_400_000)) > 0);
  assert.equal((await (await get(`/v2/issues/${id}`)).json()).status, 'closed');
  const { comments } = await (await get(`/issues/${id}/comments`)).json();
  assert.equal(comments[0].text, 'Closed, as nothing has changed for 90 days.');
});

test('serves the page and its files', async () => {
  const page = await get('/');
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(await page.text(), /<script type="module" src="\/app\.js">/);
  assert.equal((await get('/app.js')).status, 200);
});
