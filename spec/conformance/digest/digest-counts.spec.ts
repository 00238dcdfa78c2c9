import type { RawAnswer } from '../../factories/http/raw-http';
import { digestTable, useBench } from '../bench';
import { digest, type Sign } from '../digest-client';
import { fronts, targets } from '../guarded-platform';
import type { Verdict } from '../verdict';

function hex(count: number): string {
  return count.toString(16).padStart(8, '0');
}

describe.each(fronts)('Digest nonce counts (RFC 7616, 3.4 nc), over %s', (front) => {
  const bench = useBench(front);
  const ask = (sign: Sign, nc: string): Promise<RawAnswer> =>
    bench().request({ target: targets.digest, authorization: digest(sign({ nc })) });

  describe('with a correct digest', () => {
    digestTable(bench, [
      ['one', 'is accepted', (sign) => digest(sign({ nc: '00000001' }))],
      ['the highest', 'is accepted', (sign) => digest(sign({ nc: 'ffffffff' }))],
      ['a first count above one', 'is accepted', (sign) => digest(sign({ nc: '00000abc' }))],
      ['a count in capitals', 'is accepted', (sign) => digest(sign({ nc: '00000ABC' }))],
      ['zero', 'is rejected', (sign) => digest(sign({ nc: '00000000' }))],
      ['a count of one digit', 'is rejected', (sign) => digest(sign({ nc: '1' }))],
      ['a count of seven digits', 'is rejected', (sign) => digest(sign({ nc: '0000001' }))],
      ['a count of nine digits', 'is rejected', (sign) => digest(sign({ nc: '000000001' }))],
      ['a count of sixteen digits', 'is rejected', (sign) => digest(sign({ nc: '0000000000000001' }))],
      ['a count with a letter beyond f', 'is rejected', (sign) => digest(sign({ nc: '0000000g' }))],
      ['a count with 0x', 'is rejected', (sign) => digest(sign({ nc: '0x000001' }))],
      ['a count with a sign', 'is rejected', (sign) => digest(sign({ nc: '+0000001' }))],
      ['a count below zero', 'is rejected', (sign) => digest(sign({ nc: '-0000001' }))],
      ['a count with a point', 'is rejected', (sign) => digest(sign({ nc: '000001.0' }))],
      ['a count with an exponent', 'is accepted', (sign) => digest(sign({ nc: '000001e2' }))],
      [
        'a quoted count with a space',
        'is rejected',
        (sign) => digest({ ...sign({ nc: '0000001 ' }), nc: '"0000001 "' }),
      ],
      [
        'a count of full-width digits',
        'is rejected',
        (sign) => {
          const nc = '\xef\xbc\x90'.repeat(7) + '1';
          return digest({ ...sign({ nc }), nc: `"${nc}"` });
        },
      ],
    ]);
  });

  it.each<[string, [nc: string, verdict: Verdict][]]>([
    [
      'a count that is used again',
      [
        ['00000001', 'is accepted'],
        ['00000001', 'is stale'],
      ],
    ],
    [
      'a count that is used again in another letter case',
      [
        ['0000000a', 'is accepted'],
        ['0000000A', 'is stale'],
      ],
    ],
    [
      'counts in order',
      [
        ['00000001', 'is accepted'],
        ['00000002', 'is accepted'],
        ['00000003', 'is accepted'],
      ],
    ],
    [
      'counts with gaps',
      [
        ['00000001', 'is accepted'],
        ['00000009', 'is accepted'],
        ['00000060', 'is accepted'],
      ],
    ],
    [
      'counts out of order, each twice',
      [
        ['00000003', 'is accepted'],
        ['00000001', 'is accepted'],
        ['00000002', 'is accepted'],
        ['00000001', 'is stale'],
        ['00000002', 'is stale'],
        ['00000003', 'is stale'],
      ],
    ],
    [
      'the last count of the window',
      [
        [hex(256), 'is accepted'],
        [hex(1), 'is accepted'],
        [hex(1), 'is stale'],
      ],
    ],
    [
      'the first count below the window',
      [
        [hex(257), 'is accepted'],
        [hex(1), 'is stale'],
      ],
    ],
    [
      'a window that has moved',
      [
        [hex(1), 'is accepted'],
        [hex(257), 'is accepted'],
        [hex(2), 'is accepted'],
        [hex(1), 'is stale'],
      ],
    ],
    [
      'counts after the highest',
      [
        ['ffffffff', 'is accepted'],
        ['00000001', 'is stale'],
        ['fffffffe', 'is accepted'],
      ],
    ],
    [
      'a count that was rejected as malformed',
      [
        ['0000001', 'is rejected'],
        ['00000001', 'is accepted'],
      ],
    ],
  ])('accepts or rejects %s, one by one', async (_, steps) => {
    const { sign } = await bench().client();
    for (const [nc, verdict] of steps) bench().expect(await ask(sign, nc), verdict);
  });

  it('are not used up by a wrong password, nor by another method, uri or user', async () => {
    const { sign } = await bench().client();
    for (const changes of [{ password: 'wrong' }, { method: 'POST' }, { uri: '/' }, { username: 'nobody' }]) {
      const answer = await bench().request({ target: targets.digest, authorization: digest(sign(changes)) });
      bench().expect(answer, 'is rejected');
    }
    bench().expect(await ask(sign, '00000001'), 'is accepted');
  });

  it('belong to the nonce, with any algorithm, cnonce, user or uri', async () => {
    const { sign } = await bench().client();
    bench().expect(await ask(sign, '00000001'), 'is accepted');
    const target = `${targets.digest}?page=1`;
    for (const changes of [
      { algorithm: 'MD5' },
      { algorithm: 'SHA-256-sess' },
      { cnonce: 'another' },
      { username: 'back\\slash "quote"' },
      { uri: target },
    ]) {
      const rawRequest = { target: changes.uri ?? targets.digest, authorization: digest(sign(changes)) };
      bench().expect(await bench().request(rawRequest), 'is stale');
    }
  });

  it('accept one of 64 concurrent requests with the same count', async () => {
    const { sign } = await bench().client();
    const answers = await Promise.all(Array.from({ length: 64 }, () => ask(sign, '00000001')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) bench().expect(answer, answer.status === 200 ? 'is accepted' : 'is stale');
  });

  it('accept all of 64 concurrent requests with different counts', async () => {
    const { sign } = await bench().client();
    const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => ask(sign, hex(64 - at))));
    for (const answer of answers) bench().expect(answer, 'is accepted');
  });
});
