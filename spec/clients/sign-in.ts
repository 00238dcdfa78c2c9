import { CHALLENGES, guard, USER, type Challenge, type Guarded } from './challenges';
import { isSuccess, type Client, type ClientAnswer, type ClientRequest } from './client';
import { rowOf } from './reference';

/** The requests of a session, and the name of their failure. */
interface Step extends ClientRequest {
  readonly called: string;
}

function stepsOf(visits: string, note: string): readonly Step[] {
  return [
    { called: 'no', method: 'GET', url: visits },
    { called: 'not with a query', method: 'GET', url: `${visits}?page=1&page_size=5` },
    {
      called: 'not with a body',
      method: 'POST',
      url: visits,
      body: JSON.stringify({ country_code: 'DE', note }),
    },
    { called: 'not again', method: 'GET', url: visits },
  ];
}

/**
 * The result of a client that reads a collection, adds to it, and reads the new item: `yes`, or what failed and how,
 * such as `not with a query: 401`.
 */
async function outcomeOf(client: Client, challenge: Challenge, { visits }: Guarded): Promise<string> {
  const note = `from ${client.name}`;
  const steps = stepsOf(visits, note);
  const answers = await client.send({ ...USER, challenge, requests: steps });
  const failed = steps.findIndex((_, index) => !isSuccess(answers[index] ?? { status: 0, body: '' }));
  if (failed === -1)
    return answers.at(-1)?.body.includes(note) === true ? 'yes' : 'no: the visit was not kept';
  return `${steps[failed]?.called ?? ''}: ${causeOf(answers[failed])}`;
}

function causeOf(answer: ClientAnswer | undefined): string {
  // The name of an error is enough: its message changes with the version.
  return answer?.error?.split(':')[0] ?? String(answer?.status ?? 'no answer');
}

/** Runs tests against every kind of guarded platform. */
export function forEachChallenge(tests: (challenge: Challenge, guarded: () => Guarded) => void): void {
  describe.each(CHALLENGES)('challenged with %s', (challenge) => {
    let guarded: Guarded;
    beforeAll(async () => (guarded = await guard(challenge)));
    afterAll(() => guarded.stop());
    tests(challenge, () => guarded);
  });
}

/** Tests that clients behave as docs/reference/clients.md says, and that none gets access without the password. */
export function testSignIn(clients: readonly Client[], challenge: Challenge, guarded: () => Guarded): void {
  it.each(clients)('$name signs in as documented', async (client) => {
    expect(await outcomeOf(client, challenge, guarded())).toBe(rowOf(client.name).outcomes[challenge]);
  });

  const able = clients.filter(({ name }) => rowOf(name).outcomes[challenge] === 'yes');
  it.each(able)('$name is rejected with a wrong password', async (client) => {
    const requests = [{ method: 'GET', url: guarded().visits }] as const;
    const answers = await client.send({ ...USER, password: 'open', challenge, requests });
    expect(answers.map(({ status }) => status)).toEqual([401]);
  });
}
