// Bare node:http that sends precomputed bytes, with exactly the headers of the response they are copied from.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen } from '../listen.mjs';
import { pathOf, refuse } from './answer.mjs';

/** Written by the workload: `path`, `status`, `fields` (name, value, name, value, …), `body` in base64. */
const { path, status, fields, body } = JSON.parse(readFileSync(process.env.BENCH_COPY, 'utf8'));
const bytes = Buffer.from(body, 'base64');

listen(
  createServer((request, response) => {
    if (pathOf(request.url) !== path) return refuse(response, 404);
    response.writeHead(status, fields);
    if (status === 304) response.end();
    else response.end(bytes);
    return undefined;
  }),
);
