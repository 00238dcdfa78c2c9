// Prism stands between a caller and the running server, and says where an answer is not what the document says.
import path from 'node:path';
import { check } from './findings.mjs';
import { authorize } from './credentials.mjs';
import { startProcess, USER } from './project.mjs';
import { operationsOf, requestsOf } from './requests.mjs';

const PRISM = path.join(import.meta.dirname, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

/** Calls every operation of a document through Prism. @returns how many requests that were */
export async function proxy(origin, name, document, file) {
  const answers = await differencesOf(origin, document, file);
  for (const { operation, found } of answers) check(`Prism: ${name} ${operation}`, found);
  return answers.reduce((sum, { requests }) => sum + requests, 0);
}

/** What Prism says of the answers of each operation. */
export async function differencesOf(origin, document, file) {
  const prism = await startProcess(
    [PRISM, 'proxy', file, origin, '--host', '127.0.0.1', '--port', '0'],
    /Prism is listening on (http:\/\/\S+)/,
  );
  const answers = [];
  try {
    const known = new Map();
    for (const entry of operationsOf(document)) {
      const method = entry.method.toUpperCase();
      const found = [];
      const requests = requestsOf(entry, known);
      for (const request of requests) {
        const answer = await send(prism.origin, method, request);
        found.push(...differences(request, answer));
        remember(known, entry, answer);
      }
      answers.push({ operation: `${method} ${entry.path}`, found, requests: requests.length });
    }
  } finally {
    await prism.stop();
  }
  return answers;
}

async function send(origin, method, { target, headers, body, guest }) {
  const ask = (more) => {
    const fields = Object.entries({ ...headers, ...more }).filter(([, value]) => value !== undefined);
    return fetch(`${origin}${target}`, { method, headers: fields, ...(body === undefined ? {} : { body }) });
  };
  const answer = await ask({});
  if (guest || answer.status !== 401) return answer;
  return ask({ authorization: authorize(answer.headers.get('www-authenticate'), method, target, USER) });
}

/** Requests may be wrong, and are meant to be; answers may not. */
function differences({ status, target }, answer) {
  const violations = JSON.parse(answer.headers.get('sl-violations') ?? '[]');
  const about = violations
    .filter(({ location }) => location[0] === 'response')
    .map(({ location, message }) => `${target} answers ${answer.status}: ${message} (${location.join('.')})`);
  const expected = status === '2xx' ? answer.ok : String(answer.status) === status;
  return expected
    ? about
    : [...about, `${target} answers ${answer.status}, where ${status} was to be brought about`];
}

/** What was created is what further operations are about. */
function remember(known, { path: collection, document }, answer) {
  const location = answer.status === 201 ? answer.headers.get('location') : null;
  if (location === null) return;
  const entity = Object.keys(document.paths).find((one) => one.startsWith(`${collection}/{`));
  const parameter = /\{(\w+)\}$/.exec(entity ?? '')?.[1];
  if (parameter !== undefined)
    known.set(`${entity} ${parameter}`, decodeURIComponent(location.split('/').at(-1)));
}
