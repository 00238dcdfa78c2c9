import type { TestPlatform } from '../factories/platform';
import type { RawAnswer } from '../factories/http/raw-http';
import { signer, type Sign } from './digest-client';
import { startGuardedPlatform, targets, type Front } from './guarded-platform';
import { sendRequest, linesOf, send, type RawRequest } from './raw-request';
import type { StrictChallenge } from './strict-challenge';
import { challengesOf, expectRefusal, expectVerdict, type RefusalOptions, type Verdict } from './verdict';

/** A Digest client that has received a challenge. */
interface Client {
  readonly sign: Sign;
  /** The strongest challenge, which is answered. */
  readonly challenge: StrictChallenge;
  readonly challenges: readonly StrictChallenge[];
}

/** The guarded platform, and the 401 that every other one must equal. */
export class Bench {
  readonly #platform: TestPlatform;
  /** The status for a guest. */
  readonly reference: RawAnswer;

  private constructor(platform: TestPlatform, reference: RawAnswer) {
    this.#platform = platform;
    this.reference = reference;
  }

  static async start(front: Front): Promise<Bench> {
    const platform = await startGuardedPlatform(front);
    return new Bench(platform, inLines(await sendRequest(platform.origin, { target: targets.digest })));
  }

  get origin(): string {
    return this.#platform.origin;
  }

  stop(): Promise<void> {
    return this.#platform.stop();
  }

  async request(rawRequest: RawRequest): Promise<RawAnswer> {
    return inLines(await sendRequest(this.origin, rawRequest));
  }

  /** @param pause in milliseconds; for servers that keep the connection open */
  async send(octets: string, pause?: number): Promise<RawAnswer> {
    return inLines(await send(this.origin, octets, pause));
  }

  /** Requests the challenges of a target, with credentials that are never valid. */
  async client(target: string = targets.digest): Promise<Client> {
    const answer = await this.request({ target, authorization: 'Digest' });
    this.expectRefusal(answer);
    const challenges = challengesOf(answer);
    const [challenge] = challenges;
    if (challenge === undefined) throw new Error(`${target} sent no challenge.`);
    return { sign: signer(challenge, target), challenge, challenges };
  }

  expect(answer: RawAnswer, verdict: Verdict): void {
    expectVerdict(answer, verdict, this.reference);
  }

  expectRefusal(answer: RawAnswer, options?: RefusalOptions): void {
    expectRefusal(answer, this.reference, options);
  }
}

/**
 * Returns each challenge as a line, as the server sends it. `Headers` of `fetch` has one line per field, with a list (RFC
 * 9110, 11.6.1).
 */
function inLines(answer: RawAnswer): RawAnswer {
  const fields = answer.fields.flatMap(([name, value]) =>
    (name === 'www-authenticate' ? value.split(/, (?=(?:Basic|Digest) )/) : [value]).map(
      (line) => [name, line] as const,
    ),
  );
  return { ...answer, fields };
}

/** The test bench of a spec file. */
export function useBench(front: Front = 'the server'): () => Bench {
  let bench: Bench | undefined;
  beforeAll(async () => {
    bench = await Bench.start(front);
  });
  afterAll(() => bench?.stop());
  return () => {
    if (bench === undefined) throw new Error('The bench has not started.');
    return bench;
  };
}

/** Digest credentials: a description, the verdict, and how they are written: one header line, or several. */
export type DigestCase = readonly [
  what: string,
  verdict: Verdict,
  write: (sign: Sign, challenge: StrictChallenge) => string | readonly string[],
];

/** One test per case: a client with a new challenge requests the target with the case's credentials. */
export function digestTable(
  bench: () => Bench,
  cases: readonly DigestCase[],
  target: string = targets.digest,
): void {
  it.each(cases)('%s %s', async (_, verdict, write) => {
    const { sign, challenge } = await bench().client(target);
    const answer = await bench().request({ target, authorization: write(sign, challenge) });
    bench().expect(answer, verdict);
    // For an operation that is open to guests, a 200 alone would not show that the credentials were checked.
    expect(linesOf(answer, 'authentication-info')).toHaveLength(verdict === 'is accepted' ? 1 : 0);
  });
}

/** Basic credentials: a description, the verdict, and how they are written. */
export type BasicCase = readonly [what: string, verdict: Verdict, field: string | readonly string[]];

/** One test per case. */
export function basicTable(bench: () => Bench, cases: readonly BasicCase[]): void {
  it.each(cases)('%s %s', async (_, verdict, authorization) => {
    bench().expect(await bench().request({ target: targets.basic, authorization }), verdict);
  });
}
