// Reads sessions from standard input, one JSON text per line, sends each with the client that it names, and writes the
// responses as one JSON text per line, up to the first error. Every session gets a new client.
import AxiosDigestAuth from '@mhoc/axios-digest-auth';
import axios from 'axios';
import DigestClient from 'digest-fetch';
import got from 'got';
import needle from 'needle';
import { Buffer } from 'node:buffer';
import { createInterface } from 'node:readline';
import { request as undici } from 'undici';
import { HttpClient } from 'urllib';

const JSON_TYPE = { 'content-type': 'application/json' };
const headersOf = ({ body }) => (body === undefined ? {} : { ...JSON_TYPE });
const basicField = ({ username, password }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** By name: creates a function that sends a request of a session and returns the response. */
const clients = {
  'digest-fetch': ({ username, password, challenge }) => {
    // The caller has to name the algorithm: the client does not read it from the challenge.
    const options =
      challenge === 'Basic' ? { basic: true } : challenge === 'SHA-256' ? { algorithm: 'SHA-256' } : {};
    const client = new DigestClient(username, password, options);
    return async ({ method, url, body }) => {
      const answer = await client.fetch(url, { method, body, headers: headersOf({ body }) });
      return { status: answer.status, body: await answer.text() };
    };
  },
  urllib: ({ username, password, challenge }) => {
    const client = new HttpClient();
    const login = `${username}:${password}`;
    return async ({ method, url, body }) => {
      const answer = await client.request(url, {
        method,
        content: body,
        headers: headersOf({ body }),
        dataType: 'text',
        ...(challenge === 'Basic' ? { auth: login } : { digestAuth: login }),
      });
      return { status: answer.status, body: answer.data };
    };
  },
  needle:
    ({ username, password, challenge }) =>
    async ({ method, url, body }) => {
      const answer = await needle(method.toLowerCase(), url, body ?? null, {
        username,
        password,
        auth: challenge === 'Basic' ? 'basic' : 'digest',
        headers: headersOf({ body }),
        parse: false,
      });
      return { status: answer.statusCode, body: String(answer.body) };
    },
  undici:
    (user) =>
    async ({ method, url, body }) => {
      const headers = { ...headersOf({ body }), authorization: basicField(user) };
      const answer = await undici(url, { method, body, headers });
      return { status: answer.statusCode, body: await answer.body.text() };
    },
  got:
    ({ username, password }) =>
    async ({ method, url, body }) => {
      const headers = headersOf({ body });
      const answer = await got(url, { method, body, headers, username, password, throwHttpErrors: false });
      return { status: answer.statusCode, body: answer.body };
    },
  axios:
    ({ username, password }) =>
    async ({ method, url, body }) => {
      const answer = await axios.request({
        method,
        url,
        data: body,
        headers: headersOf({ body }),
        auth: { username, password },
        transformResponse: (text) => text,
        validateStatus: () => true,
      });
      return { status: answer.status, body: answer.data };
    },
  '@mhoc/axios-digest-auth': ({ username, password }) => {
    const client = new AxiosDigestAuth.default({ username, password });
    return async ({ method, url, body }) => {
      try {
        const answer = await client.request({ method, url, data: body, headers: headersOf({ body }) });
        return { status: answer.status, body: JSON.stringify(answer.data) };
      } catch (error) {
        if (error.response === undefined) throw error;
        return { status: error.response.status, body: JSON.stringify(error.response.data) };
      }
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { client, ...session } = JSON.parse(line);
  const send = clients[client](session);
  const answers = [];
  for (const request of session.requests) {
    const answer = await send(request).catch((error) => ({
      status: 0,
      body: '',
      error: `${error.name}: ${error.message}`,
    }));
    answers.push(answer);
    if (answer.status === 0 || answer.status >= 400) break;
  }
  console.log(JSON.stringify(answers));
}
process.exit();
