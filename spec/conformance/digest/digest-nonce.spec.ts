import { setTimeout as wait } from 'node:timers/promises';
import { digestTable, useBench } from '../bench';
import { digest, parameterOf } from '../digest-client';
import { fronts, targets } from '../guarded-platform';

/** Changes the digit at an index of a nonce. */
function flipped(nonce: string, at: number): string {
  const place = at < 0 ? nonce.length + at : at;
  const digit = nonce.charAt(place) === '0' ? '1' : '0';
  return nonce.slice(0, place) + digit + nonce.slice(place + 1);
}

describe.each(fronts)('Digest nonces (RFC 7616, 3.3), over %s', (front) => {
  const bench = useBench(front);

  describe('that the server did not create, with a correct digest', () => {
    digestTable(bench, [
      [
        'a nonce in upper case',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: parameterOf(challenge, 'nonce').toUpperCase() })),
      ],
      [
        'a nonce without its last digit',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: parameterOf(challenge, 'nonce').slice(0, -1) })),
      ],
      [
        'a nonce without its first digit',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: parameterOf(challenge, 'nonce').slice(1) })),
      ],
      [
        'a nonce without its last octet',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: parameterOf(challenge, 'nonce').slice(0, -2) })),
      ],
      [
        'a nonce with an extra digit',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: `${parameterOf(challenge, 'nonce')}0` })),
      ],
      [
        'a nonce with an octet more',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: `${parameterOf(challenge, 'nonce')}00` })),
      ],
      [
        'a nonce with a trailing space',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: `${parameterOf(challenge, 'nonce')} ` })),
      ],
      [
        'a nonce with a leading space',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: ` ${parameterOf(challenge, 'nonce')}` })),
      ],
      [
        'a nonce twice in a row',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: parameterOf(challenge, 'nonce').repeat(2) })),
      ],
      [
        'a nonce whose first digit was changed',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: flipped(parameterOf(challenge, 'nonce'), 0) })),
      ],
      [
        'a nonce whose digit in the middle was changed',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: flipped(parameterOf(challenge, 'nonce'), 18) })),
      ],
      [
        'a nonce whose last digit was changed',
        'is stale',
        (sign, challenge) => digest(sign({ nonce: flipped(parameterOf(challenge, 'nonce'), -1) })),
      ],
      ['a nonce of zeros', 'is stale', (sign) => digest(sign({ nonce: '0'.repeat(68) }))],
      ['a nonce of the highest digits', 'is stale', (sign) => digest(sign({ nonce: 'f'.repeat(68) }))],
      [
        'an invented nonce',
        'is stale',
        (sign) => digest(sign({ nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093' })),
      ],
      ['a nonce that is not hexadecimal', 'is stale', (sign) => digest(sign({ nonce: 'z'.repeat(68) }))],
      ['a nonce in UTF-8', 'is stale', (sign) => digest(sign({ nonce: '\xc3\xa4'.repeat(34) }))],
      ['a nonce of 10 KB', 'is stale', (sign) => digest(sign({ nonce: '0'.repeat(10_000) }))],
      ['an empty nonce', 'is rejected', (sign) => digest({ ...sign({ nonce: '' }), response: '""' })],
    ]);
  });

  describe('that the server did not create, without the password', () => {
    digestTable(bench, [
      [
        'a nonce in upper case',
        'is rejected',
        (sign, challenge) =>
          digest(sign({ password: 'wrong', nonce: parameterOf(challenge, 'nonce').toUpperCase() })),
      ],
      [
        'a nonce without its last digit',
        'is rejected',
        (sign, challenge) =>
          digest(sign({ password: 'wrong', nonce: parameterOf(challenge, 'nonce').slice(0, -1) })),
      ],
      [
        'an invented nonce',
        'is rejected',
        (sign) => digest(sign({ password: 'wrong', nonce: 'ff'.repeat(34) })),
      ],
      [
        'an invented nonce of an unknown user',
        'is rejected',
        (sign) => digest(sign({ username: 'nobody', nonce: 'ff'.repeat(34) })),
      ],
      [
        'an invented nonce over another uri',
        'is rejected',
        (sign) => digest(sign({ uri: '/v2/atlas/visits?x', nonce: 'ff'.repeat(34) })),
      ],
    ]);
  });

  it('accepts a nonce of another realm in the same deployment, but no count of it twice', async () => {
    const { challenge } = await bench().client(targets.old);
    const { sign } = await bench().client();
    const nonce = parameterOf(challenge, 'nonce');
    const rawRequest = { target: targets.digest, authorization: digest(sign({ nonce })) };
    bench().expect(await bench().request(rawRequest), 'is accepted');
    bench().expect(await bench().request(rawRequest), 'is stale');
    const old = await bench().client(targets.old);
    const again = { target: targets.old, authorization: digest(old.sign({ nonce })) };
    bench().expect(await bench().request(again), 'is stale');
  });

  it('creates a new nonce for each 401', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => bench().client()));
    expect(new Set(clients.map(({ challenge }) => parameterOf(challenge, 'nonce'))).size).toBe(20);
  });

  it('uses one opaque for all 401 responses of a realm, and one nonce for all algorithms', async () => {
    const [first, second] = [await bench().client(), await bench().client()];
    expect(parameterOf(first.challenge, 'opaque')).toBe(parameterOf(second.challenge, 'opaque'));
    expect(new Set(first.challenges.map((challenge) => parameterOf(challenge, 'nonce'))).size).toBe(1);
  });

  describe('that have expired', () => {
    it('are stale with the correct password only, and are followed by a valid one', async () => {
      const { sign } = await bench().client(targets.brief);
      const long = await bench().client();
      const ask = (authorization: string): ReturnType<ReturnType<typeof bench>['request']> =>
        bench().request({ target: targets.brief, authorization });
      bench().expect(await ask(digest(sign())), 'is accepted');
      await wait(1_100);
      bench().expect(await ask(digest(sign({ nc: '00000002' }))), 'is stale');
      bench().expect(await ask(digest(sign({ nc: '00000003', password: 'wrong' }))), 'is rejected');
      bench().expect(await ask(digest(sign({ nc: '00000004', username: 'nobody' }))), 'is rejected');
      bench().expect(await ask(digest(sign({ nc: '00000005', uri: targets.digest }))), 'is rejected');
      bench().expect(await ask(digest(sign({ nc: '00000006', method: 'POST' }))), 'is rejected');
      bench().expect(await ask(digest(sign({ nc: '00000007', opaque: '0'.repeat(32) }))), 'is rejected');
      bench().expect(await ask(digest(sign({ nc: '00000001' }))), 'is stale');
      // A nonce that lives an hour in another realm lives one second here.
      const nonce = parameterOf(long.challenge, 'nonce');
      bench().expect(await ask(digest(sign({ nonce }))), 'is stale');
      const fresh = await bench().client(targets.brief);
      bench().expect(await ask(digest(fresh.sign())), 'is accepted');
    });
  });
});
