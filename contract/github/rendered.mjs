// Renders scopes in every format for the first time, and measures the time and the retained memory.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from '../findings.mjs';
import { root } from '../project.mjs';

const FORMATS = ['json', 'openapi', 'apidesc', 'yaml', 'swagger', 'markdown', 'html'];

/**
 * CPU seconds beyond which the first rendering of anything is a defect on any machine, also where another process shares
 * the core. The documented limit is one; the measured time is printed, as machines differ.
 */
const SLOWEST = 3;
const MEGABYTE = 1_000_000;
const MOST_MEMORY = 150 * MEGABYTE;
const LARGEST_PAGE = 200_000;

/** Services differ little: every n-th one represents the others on pages, and in CI in every format. */
const STEP = 10;

/** The results that must come first, by query. */
const queries = JSON.parse(
  readFileSync(path.join(root, 'spec', 'fixtures', 'search', 'queries.json'), 'utf8'),
);

/** @returns {Promise<string>} the OpenAPI export */
export async function rendered(server, say) {
  const read = (place, encoding = 'identity', more = {}) =>
    fetch(`${server.origin}/platform/${place}`, { headers: { 'accept-encoding': encoding, ...more } });
  const { services } = await (await read('documentation/GitHub?format=json')).json();
  // What is only created by the first request is excluded from the comparison.
  await (await read('documentation?format=html')).text();
  const rest = await server.used();
  const slow = [];
  const refused = [];
  for (const format of FORMATS) {
    const isSample = format === 'html' || process.env.CI === 'true';
    const shown = services.filter((_, at) => !isSample || at % STEP === 0);
    const scopes = ['', '/GitHub', ...shown.map(({ name }) => `/GitHub/${name}`)];
    const all = [];
    for (const scope of scopes) {
      const place = `documentation${scope}?format=${format}`;
      const [clock, before] = [performance.now(), await server.worked()];
      const answer = await read(place);
      const bytes = (await answer.arrayBuffer()).byteLength;
      const [wall, work] = [(performance.now() - clock) / 1000, ((await server.worked()) - before) / 1e6];
      all.push({ scope, bytes, wall, work });
      if (answer.status !== 200) refused.push(`${place} answers ${answer.status}`);
      if (work > SLOWEST) slow.push(`${place} took ${work.toFixed(2)} s of a processor`);
      await (await read(place, 'gzip')).arrayBuffer();
      if (scopes.indexOf(scope) < 2) await (await read(place, 'br')).arrayBuffer();
    }
    const longest = all.reduce((a, b) => (b.work > a.work ? b : a));
    const sum = all.reduce((total, { bytes }) => total + bytes, 0);
    say(
      `${format}: ${all.length} representations, ${(sum / MEGABYTE).toFixed(1)} MB, the longest in ${longest.work.toFixed(2)} s of a processor (${longest.wall.toFixed(2)} s): ${longest.scope || 'the list'}`,
    );
  }
  check('GitHub: its scopes are rendered in every format', refused);
  check(`GitHub: no first rendering takes more than ${SLOWEST} s`, slow);
  const more = (await server.used()) - rest;
  say(
    `at rest ${(rest / MEGABYTE).toFixed(0)} MB, with all formats ${(more / MEGABYTE).toFixed(0)} MB more (objects and buffers)`,
  );
  check(
    'GitHub: all formats together stay under 150 MB',
    more < MOST_MEMORY ? [] : [`They take ${more} bytes.`],
  );
  await firstPages(read, say);
  await searched(server, read, say);
  return (await read('documentation/GitHub?format=openapi')).text();
}

async function firstPages(read, say) {
  for (const place of ['documentation', 'documentation/GitHub']) {
    const page = await read(place, 'gzip', { accept: 'text/html' });
    const bytes = Number(page.headers.get('content-length'));
    await page.arrayBuffer();
    const fields = { accept: 'text/html', 'if-none-match': page.headers.get('etag') };
    const again = await read(place, 'gzip', fields);
    say(`the page of ${place}: ${bytes} bytes, and ${again.status} when it is opened again`);
    check(`GitHub: the page of ${place} is small, and opens from a browser's cache`, [
      ...(bytes < LARGEST_PAGE ? [] : [`It has ${bytes} bytes.`]),
      ...(again.status === 304 ? [] : [`The second response is ${again.status}.`]),
    ]);
  }
}

/** Searches for the queries whose first results are known. */
async function searched(server, read, say) {
  const memory = await server.used();
  const clock = performance.now();
  await (await read('search?q=index')).json();
  const build = performance.now() - clock;
  const bytes = (await server.used()) - memory;
  say(`the search index: built in ${build.toFixed(0)} ms, ${(bytes / MEGABYTE).toFixed(1)} MB`);
  const wrong = [];
  const times = [];
  for (const [query, expected] of Object.entries(queries)) {
    const before = await server.worked();
    const { results } = await (await read(`search?q=${encodeURIComponent(query)}`)).json();
    times.push(((await server.worked()) - before) / 1000);
    const [{ method, path, title } = {}] = results;
    const first = method === undefined ? title : `${method} ${path}`;
    if (!expected.includes(first)) wrong.push(`"${query}" finds ${first}, not ${expected.join(' or ')}`);
  }
  times.sort((a, b) => a - b);
  const [middle, longest] = [times[times.length >> 1], times.at(-1)];
  say(
    `${times.length} queries: ${middle.toFixed(1)} ms of a processor (median), at most ${longest.toFixed(1)} ms`,
  );
  check('GitHub: queries find what is meant first', wrong);
}
