import { setTimeout as wait } from 'node:timers/promises';
import type { RawAnswer } from '../../factories/http/raw-http';
import { useBench } from '../bench';
import { digest, parameterOf, proofOf, unquote } from '../digest-client';
import { targets } from '../guarded-platform';
import { linesOf } from '../raw-request';
import { parseChallenges, type StrictChallenge } from '../strict-challenge';

/** `Authentication-Info` is a list of parameters, like a challenge after its scheme (RFC 7615, 3). */
function infoOf(answer: RawAnswer): StrictChallenge {
  const lines = linesOf(answer, 'authentication-info');
  expect(lines).toHaveLength(1);
  const [info] = parseChallenges(`Info ${lines[0] ?? ''}`);
  if (info === undefined) throw new Error('There is no Authentication-Info.');
  return info;
}

describe('the Digest responses of the server', () => {
  const bench = useBench();

  it.each(['SHA-256', 'MD5', 'SHA-256-sess', 'MD5-sess'])(
    'prove that the server knows the secret, with %s (RFC 7616, 3.5)',
    async (algorithm) => {
      const { sign } = await bench().client();
      const written = sign({ algorithm, nc: '0000000a', cnonce: 'a "quoted\\ cnonce' });
      const info = infoOf(await bench().request({ target: targets.digest, authorization: digest(written) }));
      expect(parameterOf(info, 'rspauth')).toBe(proofOf(written, 'explore'));
      expect(parameterOf(info, 'cnonce')).toBe(unquote(written.cnonce ?? ''));
      expect(parameterOf(info, 'nc')).toBe('0000000a');
      expect(parameterOf(info, 'qop')).toBe('auth');
    },
  );

  it('quote rspauth, cnonce and nextnonce, and nothing else', async () => {
    const { sign } = await bench().client(targets.brief);
    await wait(600);
    const info = infoOf(await bench().request({ target: targets.brief, authorization: digest(sign()) }));
    const names = (quoted: boolean): string[] =>
      info.parameters.filter((parameter) => parameter.quoted === quoted).map(({ name }) => name);
    expect(names(true).sort()).toEqual(['cnonce', 'nextnonce', 'rspauth']);
    expect(names(false).sort()).toEqual(['nc', 'qop']);
  });

  it('contain a next nonce before the old one expires, and it is accepted', async () => {
    const { sign } = await bench().client(targets.brief);
    const early = await bench().request({ target: targets.brief, authorization: digest(sign()) });
    expect(parameterOf(infoOf(early), 'nextnonce')).toBe('');
    await wait(600);
    const late = await bench().request({
      target: targets.brief,
      authorization: digest(sign({ nc: '00000002' })),
    });
    const nonce = parameterOf(infoOf(late), 'nextnonce');
    await wait(600);
    const next = await bench().request({ target: targets.brief, authorization: digest(sign({ nonce })) });
    bench().expect(next, 'is accepted');
  });

  it.each(['"\r\nX-Injected: 1', '\\"\r\n\r\n', '\u00e9'])(
    'never echo a cnonce that would end the header: %j',
    async (cnonce) => {
      const { sign } = await bench().client();
      const authorization = digest(sign({ cnonce }));
      const answer = await bench().request({ target: targets.digest, authorization });
      expect(answer.status).toBe(401);
      expect(linesOf(answer, 'x-injected')).toEqual([]);
    },
  );

  it('contain no proof for guests or with a 401', async () => {
    const guest = await bench().request({ target: targets.brief });
    expect(guest.status).toBe(200);
    expect(linesOf(guest, 'authentication-info')).toEqual([]);
    expect(linesOf(guest, 'www-authenticate')).toEqual([]);
    expect(linesOf(bench().reference, 'authentication-info')).toEqual([]);
  });

  it.each(Object.values(targets))('challenge for %s with its own adapter only', async (target) => {
    const refused = await bench().request({ target, authorization: 'Unknown x=y' });
    bench().expectRefusal(refused);
    const schemes = linesOf(refused, 'www-authenticate').map((line) => line.split(' ', 1)[0]);
    expect(new Set(schemes)).toEqual(new Set([target === targets.basic ? 'Basic' : 'Digest']));
  });

  it('encode a non-ASCII realm in the same octets, with and without a body (RFC 9110, 5.5)', async () => {
    const rawRequest = { target: targets.strange, authorization: 'Digest' };
    const [withBody, without] = [
      await bench().request(rawRequest),
      await bench().request({ ...rawRequest, method: 'HEAD' }),
    ];
    for (const answer of [withBody, without]) {
      expect(answer.text).toContain('realm="Räume, nonce=1; x", domain="/v1/atlas /v2/atlas"');
    }
  });

  it('have the specified 401 body for any Accept', async () => {
    expect(bench().reference.body).toMatch(
      /^\{"type":"https?:[^"]+","title":"Unauthorized","status":401,"detail":"Unauthorized"\}$/,
    );
    for (const accept of ['text/html', 'image/png', 'application/json;q=0', '*/*', '', 'not a type']) {
      for (const authorization of [[], ['Digest']]) {
        const fields = [`Accept: ${accept}`];
        bench().expectRefusal(await bench().request({ target: targets.digest, authorization, fields }));
      }
    }
  });

  it('precede conditions, ranges and encodings', async () => {
    const fields = ['If-None-Match: *', 'If-Match: "x"', 'Range: bytes=0-0', 'Accept-Encoding: gzip, br'];
    bench().expectRefusal(await bench().request({ target: targets.digest, fields }));
    bench().expectRefusal(await bench().request({ target: targets.digest, fields, authorization: 'Digest' }));
  });
});
