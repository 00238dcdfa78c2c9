import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  defineApi,
  defineProcedure,
  defineRpcService,
  Response as Answer,
  type Module,
} from '../../../../src/platform';
import { answerTo, challengeOf, parameterOf } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { adapter, authentication, CLUB_FILES, ClubModule, PASSWORD } from '../../../fixtures/club-module';

const ada = { username: 'ada', password: PASSWORD };
const json = { 'Content-Type': 'application/json' };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const streams: Module & { apis: unknown } = {
  name: 'streams',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Streams',
      versions: {
        1: {
          services: {
            Stream: defineRpcService({
              route: '/stream',
              methods: {
                GET: defineProcedure({ handler: () => new Answer(200, Readable.from(['a', 'b'])) }),
              },
            }),
          },
        },
      },
    }),
  ],
};

describe('an API whose Digest covers bodies', () => {
  let platform: TestPlatform;
  let challenge: string;
  let nc = 0;
  beforeAll(async () => {
    const options = {
      accept_schemes: ['digest'],
      realm: 'Club',
      htdigest: 'config/club.htdigest',
      nonce_timeout: '3600',
      qop: ['auth', 'auth-int'],
    };
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ClubModule(), streams],
      files: CLUB_FILES,
      local: {
        ...authentication({ own: adapter(options) }, { '*': 'own' }),
        'platform-content-negotiation': { body_limit: 1_000 },
      },
    });
    challenge = challengeOf(await platform.request('/club/members'));
  });
  afterAll(() => platform.stop());

  const sign = (method: string, uri: string, body: string, cnonce = 'c0ffee'): string =>
    answerTo(challenge, { ...ada, method, uri, body, cnonce, nc: ++nc });
  const send = (
    method: string,
    uri: string,
    body: string | undefined,
    authorization: string,
  ): Promise<Response> =>
    platform.request(uri, {
      method,
      headers: { ...json, Authorization: authorization },
      ...(body === undefined ? {} : { body }),
    });
  /** The `rspauth` that the server should send, computed independently. */
  const proof = (uri: string, body: string): string => {
    const count = nc.toString(16).padStart(8, '0');
    const nonce = parameterOf(challenge, 'nonce') ?? '';
    const a2 = sha256(`:${uri}:${sha256(body)}`);
    return sha256(`${sha256(`ada:Club:${PASSWORD}`)}:${nonce}:${count}:c0ffee:auth-int:${a2}`);
  };

  it('passes the body that the digest covers to the handler, and signs the response body', async () => {
    const body = '{"text":"Grüße"}';
    const answer = await send('POST', '/club/notes', body, sign('POST', '/club/notes', body));
    expect(answer.status).toBe(201);
    const text = await answer.text();
    expect(JSON.parse(text)).toEqual({ note_id: '2', text: 'Grüße' });
    const info = answer.headers.get('authentication-info') ?? '';
    expect(parameterOf(info, 'rspauth')).toBe(proof('/club/notes', text));
    expect(parameterOf(info, 'qop')).toBe('auth-int');
  });

  it('signs responses without a body, and leaves streams unsigned', async () => {
    const gone = await send('DELETE', '/club/notes/1', undefined, sign('DELETE', '/club/notes/1', ''));
    expect(gone.status).toBe(204);
    expect(parameterOf(gone.headers.get('authentication-info') ?? '', 'rspauth')).toBe(
      proof('/club/notes/1', ''),
    );
    const head = await send('HEAD', '/club/hall', undefined, sign('HEAD', '/club/hall', ''));
    expect(parameterOf(head.headers.get('authentication-info') ?? '', 'rspauth')).toBe(
      proof('/club/hall', ''),
    );
    const stream = await send('GET', '/stream', undefined, sign('GET', '/stream', ''));
    expect(await stream.text()).toBe('ab');
    expect(stream.headers.get('authentication-info')).toMatch(/^qop=auth-int, cnonce="c0ffee", nc=/);
  });

  it('rejects a modified body', async () => {
    const authorization = sign('POST', '/club/notes', '{"text":"a"}');
    expect((await send('POST', '/club/notes', '{"text":"b"}', authorization)).status).toBe(401);
  });

  it('limits the body like the operation does', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(2_000) });
    const answer = await send('POST', '/club/notes', body, sign('POST', '/club/notes', body));
    expect(answer.status).toBe(413);
    expect(await bodyOf(answer)).toMatchObject({ detail: expect.stringContaining('1000 bytes') as unknown });
  });

  const waiting = (authorization: string): string =>
    [
      'POST /club/notes HTTP/1.1',
      'Host: x',
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      'Content-Length: 12',
      'Expect: 100-continue',
      'Connection: close',
      '\r\n',
    ].join('\r\n');

  it('reads the body only when the other credentials are valid', async () => {
    const body = '{"text":"a"}';
    const right = sign('POST', '/club/notes', body);
    const interim = await sendRaw(platform.origin, waiting(right));
    expect(interim.status).toBe(100);
    for (const wrong of [
      right.replace(/realm="Club"/, 'realm="x"'),
      right.replace(/nc=\w+/, 'nc=0'),
      basic('ada', 'x'),
    ]) {
      const refused = await sendRaw(platform.origin, waiting(wrong));
      expect(refused.status).toBe(401);
    }
  });
});
