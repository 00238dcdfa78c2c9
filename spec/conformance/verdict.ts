import type { RawAnswer } from '../factories/http/raw-http';
import { linesOf } from './raw-request';
import { parseChallenges, type StrictChallenge } from './strict-challenge';

/** The result of a request with credentials, as the verb of a sentence; `stale` means valid except for the nonce. */
export type Verdict = 'is accepted' | 'is rejected' | 'is stale' | 'is a bad request' | 'is too large';

const STATUS: Readonly<Record<Verdict, number>> = {
  'is accepted': 200,
  'is rejected': 401,
  'is stale': 401,
  'is a bad request': 400,
  'is too large': 431,
};

/** How one 401 may differ from another. */
export interface RefusalOptions {
  readonly stale?: boolean;
  readonly method?: string;
  readonly vary?: readonly string[];
}

/** Fails unless the response matches a verdict. @param reference a 401 with another cause */
export function expectVerdict(answer: RawAnswer, verdict: Verdict, reference: RawAnswer): void {
  expect(answer.status).toBe(STATUS[verdict]);
  if (answer.status === 401) expectRefusal(answer, reference, { stale: verdict === 'is stale' });
  else expect(linesOf(answer, 'www-authenticate')).toEqual([]);
}

/**
 * Fails unless the response is a 401 that reveals no cause: its body and headers equal those of another one.
 * @param options.vary the lines of Vary: the headers that name the version
 */
export function expectRefusal(
  answer: RawAnswer,
  reference: RawAnswer,
  { stale = false, method = 'GET', vary = [] }: RefusalOptions = {},
): void {
  expect(answer.status).toBe(401);
  expect(answer.body).toBe(method === 'HEAD' ? '' : reference.body);
  expect(linesOf(answer, 'vary')).toEqual(vary);
  expect(fieldsBesideChallenges(answer)).toEqual(fieldsBesideChallenges(reference));
  const challenges = challengesOf(answer);
  expect(challenges.length).toBeGreaterThan(0);
  for (const challenge of challenges) expectChallenge(challenge, stale);
}

/** Everything else in which two 401 responses must be equal. */
function fieldsBesideChallenges({ fields }: RawAnswer): readonly string[] {
  return fields
    .filter(([name]) => name !== 'www-authenticate' && name !== 'vary')
    .map(([name, value]) => (name === 'date' ? name : `${name}: ${value}`));
}

/** The challenges of a response, one per header line, parsed strictly. */
export function challengesOf(answer: RawAnswer): readonly StrictChallenge[] {
  return linesOf(answer, 'www-authenticate').map((line) => {
    // Responses are decoded as UTF-8, the grammar is one of octets.
    const [challenge, ...more] = parseChallenges(Buffer.from(line, 'utf8').toString('latin1'));
    if (challenge === undefined || more.length > 0) throw new Error(`Not a single challenge: ${line}`);
    return challenge;
  });
}

/** Quotes where RFC 7616, 3.3 and RFC 7617, 2 require them, and every parameter that a client needs. */
function expectChallenge({ scheme, parameters }: StrictChallenge, stale: boolean): void {
  const quoted = parameters.filter((parameter) => parameter.quoted).map(({ name }) => name);
  const bare = parameters.filter((parameter) => !parameter.quoted).map(({ name }) => name);
  if (scheme === 'Basic') {
    expect(quoted).toEqual(['realm', 'charset']);
    expect(bare).toEqual([]);
    return;
  }
  expect(scheme).toBe('Digest');
  expect(quoted.filter((name) => name !== 'domain')).toEqual(['realm', 'nonce', 'opaque', 'qop']);
  expect(bare).toEqual([...(stale ? ['stale'] : []), 'algorithm', 'charset', 'userhash']);
  if (stale) expect(parameters.find(({ name }) => name === 'stale')?.value).toBe('true');
}
