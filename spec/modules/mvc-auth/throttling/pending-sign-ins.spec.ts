import { hashSync } from '@node-rs/bcrypt';
import { request, type ClientRequest } from 'node:http';
import { cpuTimeOf } from '../../../factories/measure/cpu-time';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';
import type { ConfigObject } from '../../../../src/platform';

const ATTACKER = '127.0.0.7';
const USER = '127.0.0.8';

interface Answer {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
}

interface Sent {
  readonly outgoing: ClientRequest;
  /** Undefined for a request that its client ended. */
  readonly answer: Promise<Answer | undefined>;
}

let platform: TestPlatform;
afterEach(() => platform.stop());

async function start(throttling: ConfigObject, cost: number): Promise<void> {
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [new ClubModule()],
    files: { ...CLUB_FILES, 'config/people.htpasswd': `ada:${hashSync(PASSWORD, { cost })}\n` },
    local: {
      'platform-mvc-auth': {
        ...(authentication(CLUB_ADAPTERS, { Club: 'basic' })['platform-mvc-auth'] as ConfigObject),
        throttling: { per_address: 10_000, ...throttling },
      },
    },
  });
}

/** Sends a request on a separate connection. */
function send(localAddress: string, authorization: string): Sent {
  const outgoing = request(`${platform.origin}/club/members`, {
    agent: false,
    localAddress,
    headers: { Authorization: authorization },
  });
  const answer = new Promise<Answer | undefined>((resolve) => {
    outgoing.once('error', () => resolve(undefined));
    outgoing.once('response', (incoming) => {
      incoming.resume();
      const { statusCode: status, headers } = incoming;
      resolve({ status, retryAfter: headers['retry-after'] });
    });
  });
  outgoing.end();
  return { outgoing, answer };
}

/** Concurrent guesses for many user names from one address. */
const flood = (count: number): readonly Sent[] =>
  Array.from({ length: count }, (_, at) => send(ATTACKER, basic(`user${at}`, 'guess')));

describe('many concurrent sign-ins from one address', () => {
  it('are rejected beyond the pending limit, with 429 and Retry-After, and other addresses are not', async () => {
    await start({ pending_per_address: 4 }, 11);
    const sent = flood(40);
    const user = await send(USER, basic('ada', PASSWORD)).answer;
    expect(user?.status).toBe(200);
    const answers = await Promise.all(sent.map(({ answer }) => answer));
    const refused = answers.filter((answer) => answer?.status === 429);
    const verified = answers.filter((answer) => answer?.status === 401);
    expect(refused.length + verified.length).toBe(40);
    expect(verified.length).toBeGreaterThanOrEqual(4);
    expect(refused.length).toBeGreaterThan(20);
    expect(new Set(refused.map((answer) => answer?.retryAfter))).toEqual(new Set(['1']));
  });

  it('delay other addresses by at most the running verifications', async () => {
    await start({ pending_per_address: 40 }, 9);
    const sent = flood(40);
    let answered = 0;
    for (const { answer } of sent) void answer.then(() => answered++);
    await Promise.race(sent.map(({ answer }) => answer));
    const before = answered;
    const user = await send(USER, basic('ada', PASSWORD)).answer;
    const meanwhile = answered - before;
    for (const { outgoing } of sent) outgoing.destroy();
    expect(user?.status).toBe(200);
    // At most three are verified at a time: those that run when the user arrives, and those that run in parallel.
    expect(meanwhile).toBeLessThanOrEqual(10);
  });

  it('cost nothing more after their clients have disconnected', async () => {
    await start({ pending_per_address: 100 }, 11);
    const once = await cpuTimeOf(() => send(USER, basic('nobody', 'guess')).answer);
    const sent = flood(80);
    await new Promise((resolve) => setTimeout(resolve, 2 * once));
    for (const { outgoing } of sent) outgoing.destroy();
    const used = await cpuTimeOf(async () => {
      const answers = await Promise.all([
        send(ATTACKER, basic('ada', PASSWORD)).answer,
        send(USER, basic('ada', PASSWORD)).answer,
      ]);
      expect(answers.map((answer) => answer?.status)).toEqual([200, 200]);
    });
    // All of them would use 80 times the CPU time of one. At most three run when their clients disconnect.
    expect(used).toBeLessThan(25 * once);
    expect(platform.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  }, 120_000);
});
