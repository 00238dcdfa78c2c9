import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startGuardedPlatform, targets } from '../conformance/guarded-platform';
import { runClient } from '../factories/processes/client-program';
import type { TestPlatform } from '../factories/platform';

describe('createFetch with the platform', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startGuardedPlatform('the server')));
  afterAll(() => platform.stop());

  it.each([
    ['Digest', targets.digest],
    ['Basic', targets.basic],
    ['Digest at a URL with an empty query', `${targets.digest}?`],
  ])('signs in to an API guarded with %s', async (_name, target) => {
    const program = `
      const fetch = createFetch({ username: 'guide', password: 'explore' });
      for (let at = 0; at < 3; at++) {
        const response = await fetch(origin + ${JSON.stringify(target)});
        print(response.status, response.headers.has('authentication-info'));
      }`;
    const isDigest = target !== targets.basic;
    expect(await runClient(platform.origin, program)).toEqual(Array(3).fill([200, isDigest]));
  });

  it.each([
    ['Jäsøn Doe', 'Secret, or not?'],
    ['back\\slash "quote"', 'p\\a"s'],
    ['日本', '語'],
  ])('signs in as %s', async (username, password) => {
    const program = `
      const fetch = createFetch(${JSON.stringify({ username, password })});
      const response = await fetch(origin + ${JSON.stringify(targets.digest)});
      print(response.status, response.headers.has('authentication-info'));`;
    expect(await runClient(platform.origin, program)).toEqual([[200, true]]);
  });

  it('sends Basic credentials that are not ASCII', async () => {
    const program = `
      const fetch = createFetch({ username: 'Jäsøn Doe', password: 'Übergröße' });
      print((await fetch(origin + ${JSON.stringify(targets.basic)})).status);`;
    expect(await runClient(platform.origin, program)).toEqual([[200]]);
  });

  it('returns the 401 for a wrong password, and for a scheme that is not allowed', async () => {
    const program = `
      const wrong = createFetch({ username: 'guide', password: 'wrong' });
      print((await wrong(origin + ${JSON.stringify(targets.digest)})).status);
      const digestOnly = createFetch({ username: 'guide', password: 'explore', schemes: ['digest'] });
      print((await digestOnly(origin + ${JSON.stringify(targets.basic)})).status);`;
    expect(await runClient(platform.origin, program)).toEqual([[401], [401]]);
  });

  it('sends bodies, and parallel requests with counts of their own', async () => {
    const program = `
      const fetch = createFetch({ username: 'guide', password: 'explore' });
      const url = origin + ${JSON.stringify(targets.digest)};
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"country_code":"DE","note":"client"}' };
      print((await fetch(url, init)).status);
      print((await fetch(new Request(url, init))).status);
      const all = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
      print(...new Set(all.map(({ status }) => status)));`;
    expect(await runClient(platform.origin, program)).toEqual([[201], [201], [200]]);
  });
});

/** A request that a server received. */
interface Received {
  readonly authorization: string;
  readonly body: string;
}

describe('createFetch', () => {
  let server: Server;
  let received: Received[];
  let respond: (request: Received, response: ServerResponse, message: IncomingMessage) => void;

  beforeEach(async () => {
    received = [];
    server = createServer((message, response) => {
      let body = '';
      message.on('data', (chunk: Buffer) => (body += chunk.toString()));
      message.on('end', () => {
        const request = { authorization: message.headers.authorization ?? '', body };
        received.push(request);
        respond(request, response, message);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const challenge = (response: ServerResponse, value: string): void => {
    response.writeHead(401, { 'WWW-Authenticate': value }).end('no');
  };
  const digest = (nonce: string, more = ''): string =>
    `Digest realm="r", nonce="${nonce}", qop="auth", algorithm=SHA-256${more}`;
  const execute = (program: string): Promise<readonly (readonly unknown[])[]> => {
    // A server that listens on a port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    return runClient(
      `http://127.0.0.1:${port}`,
      `const fetch = createFetch({ username: 'u', password: 'p' });\n${program}`,
    );
  };
  const signatures = (): readonly string[] =>
    received.map(({ authorization }) =>
      authorization === ''
        ? ''
        : `${/ nonce="(\w+)"/.exec(authorization)?.[1]} ${/nc=(\w+)/.exec(authorization)?.[1]}`,
    );

  it('continues with the nonce, counts its requests, and follows the next nonce', async () => {
    respond = ({ authorization }, response) => {
      if (authorization === '') challenge(response, digest('a'));
      else if (received.length === 3)
        response.setHeader('Authentication-Info', 'qop=auth, nextnonce="b"').end();
      else response.end();
    };
    await execute('for (let at = 0; at < 4; at++) await fetch(origin + "/x");');
    expect(signatures()).toEqual(['', 'a 00000001', 'a 00000002', 'b 00000001', 'b 00000002']);
  });

  it('answers a stale nonce again, but not a server that finds every nonce stale', async () => {
    respond = (_request, response) => challenge(response, digest(`n${received.length}`, ', stale=true'));
    expect(await execute('print((await fetch(origin)).status);')).toEqual([[401]]);
    expect(signatures()).toEqual(['', 'n1 00000001', 'n2 00000001']);
  });

  it('answers the challenge of a server that has forgotten a nonce', async () => {
    respond = ({ authorization }, response) => {
      if (authorization === '') challenge(response, digest('a'));
      else if (received.length === 3) challenge(response, digest('b'));
      else response.end();
    };
    expect(await execute('await fetch(origin); print((await fetch(origin)).status);')).toEqual([[200]]);
    expect(signatures()).toEqual(['', 'a 00000001', 'a 00000002', 'b 00000001']);
  });

  it('sends a body again, but not a stream', async () => {
    respond = ({ authorization }, response) =>
      authorization === '' ? challenge(response, digest('a')) : response.end();
    const program = `
      const form = new FormData();
      form.set('f', 'form');
      const stream = () => new Blob(['stream']).stream();
      print((await fetch(origin + '/a/b/', { method: 'POST', body: stream(), duplex: 'half' })).status);
      print((await fetch(origin + '/a/b/', { method: 'POST', body: form })).status);
      print((await fetch(origin + '/a/b/', { method: 'POST', body: stream(), duplex: 'half' })).status);`;
    expect(await execute(program)).toEqual([[401], [200], [200]]);
    expect(received.map(({ body }) => /form$|stream/m.exec(body)?.[0])).toEqual([
      'stream',
      'form',
      'form',
      'stream',
    ]);
  });

  it('covers the octets of a realm in UTF-8', async () => {
    const octets = Buffer.from('Räume').toString('latin1');
    respond = ({ authorization }, response) =>
      authorization === '' ? challenge(response, digest('a').replace('"r"', `"${octets}"`)) : response.end();
    await execute('await fetch(origin);');
    const sent = received[1]?.authorization ?? '';
    const valueOf = (name: string): string => new RegExp(` ${name}="?([^",]*)`).exec(sent)?.[1] ?? '';
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const [who, what] = [hash('u:Räume:p'), hash('GET:/')];
    expect(valueOf('realm')).toBe(octets);
    expect(valueOf('response')).toBe(hash(`${who}:a:00000001:${valueOf('cnonce')}:auth:${what}`));
  });

  it('signs the body if the server asks for it', async () => {
    respond = ({ authorization }, response) =>
      authorization === ''
        ? challenge(response, digest('a').replace('"auth"', '"auth-int"'))
        : response.end();
    await execute(
      `await fetch(origin, { method: 'PUT', body: 'x' }); await fetch(origin, { method: 'PUT', body: 'y' });`,
    );
    const [, first, second] = received.map(({ authorization }) => authorization);
    expect(first).toContain('qop=auth-int');
    expect(second).toContain('nc=00000002');
    expect(received.map(({ body }) => body)).toEqual(['x', 'x', 'y']);
  });

  it('gives no credentials to the target of a redirect, nor to another origin', async () => {
    const other = createServer((message, response) => {
      received.push({ authorization: `other ${message.headers.authorization ?? ''}`, body: '' });
      challenge(response, 'Basic realm="r"');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    respond = (_request, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${port}/` }).end();
    expect(await execute('print((await fetch(origin)).status);')).toEqual([[401]]);
    expect(received.map(({ authorization }) => authorization)).toEqual(['', 'other ']);
    await new Promise((resolve) => other.close(resolve));
  });

  it('leaves requests with an Authorization, and 401 without a supported challenge, as they are', async () => {
    respond = (_request, response) =>
      challenge(response, 'Bearer realm="r", Digest realm="r", nonce="a", algorithm=SHA-1');
    const program = `
      print((await fetch(origin)).status);
      print((await fetch(origin, { headers: { Authorization: 'Bearer x' } })).status);`;
    expect(await execute(program)).toEqual([[401], [401]]);
    expect(received.map(({ authorization }) => authorization)).toEqual(['', 'Bearer x']);
  });

  it('prefers Digest to Basic, and SHA-256 to MD5', async () => {
    respond = ({ authorization }, response) =>
      authorization === ''
        ? challenge(
            response,
            `Basic realm="r", Digest realm="r", nonce="a", qop="auth", algorithm=MD5, ${digest('b')}`,
          )
        : response.end();
    await execute('await fetch(origin);');
    expect(received[1]?.authorization).toContain('algorithm=SHA-256');
  });

  it('finds a challenge behind a token68, and behind empty elements of the list', async () => {
    for (const before of ['Negotiate oYG2/+0= , ', ', ,', 'Negotiate, NTLM a/b==,,']) {
      received = [];
      respond = ({ authorization }, response) =>
        authorization === '' ? challenge(response, before + digest('a')) : response.end();
      expect(await execute('print((await fetch(origin)).status);')).toEqual([[200]]);
      expect(signatures()).toEqual(['', 'a 00000001']);
    }
  });

  it('rejects invalid options', async () => {
    respond = (_request, response) => response.end();
    const program = `
      for (const options of [{ username: 'a' }, { username: 'a', password: 'b', schemes: ['bearer'] }])
        try { createFetch(options); } catch (error) { print(error.name, error.message); }`;
    expect(await execute(program)).toEqual([
      ['TypeError', 'createFetch(): password is undefined. Pass a string.'],
      ['TypeError', 'createFetch(): the scheme "bearer" is unknown. Supported: "digest", "basic".'],
    ]);
  });
});
