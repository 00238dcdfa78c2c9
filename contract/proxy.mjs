// Runs Prism as a validating proxy in front of the server, which reports responses that violate the document.
import path from 'node:path';
import { check } from './findings.mjs';
import { authorize } from './credentials.mjs';
import { startProcess, USER } from './project.mjs';
import { operationsOf, requestsOf } from './requests.mjs';

const PRISM = path.join(import.meta.dirname, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

/** Calls every operation of a document through Prism. @returns the number of requests */
export async function proxy(origin, name, document, file) {
  const answers = await differencesOf(origin, document, file);
  for (const { operation, found } of answers) check(`Prism: ${name} ${operation}`, found);
  return answers.reduce((sum, { requests }) => sum + requests, 0);
}

/** Returns the violations that Prism reports for each operation. */
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

/** Invalid requests are intended; only invalid responses are violations. */
function differences({ status, target }, answer) {
  const violations = JSON.parse(answer.headers.get('sl-violations') ?? '[]');
  const about = violations
    .filter(({ location }) => location[0] === 'response')
    .map(({ location, message }) => `${target} answers ${answer.status}: ${message} (${location.join('.')})`);
  const expected = status === '2xx' ? answer.ok : String(answer.status) === status;
  return expected
    ? about
    : [...about, `${target} responds ${answer.status} instead of the expected ${status}`];
}

/** Later operations use the entity that was created. */
function remember(known, { path: collection, document }, answer) {
  const location = answer.status === 201 ? answer.headers.get('location') : null;
  if (location === null) return;
  const entity = Object.keys(document.paths).find((one) => one.startsWith(`${collection}/{`));
  const parameter = /\{(\w+)\}$/.exec(entity ?? '')?.[1];
  if (parameter !== undefined)
    known.set(`${entity} ${parameter}`, decodeURIComponent(location.split('/').at(-1)));
}
