import { ALL_MODULES, sampleAuthentication } from '../factories/platform';
import { answerTo } from '../factories/sign-in/digest-client';
import { ServerProcesses } from '../factories/processes/server-process';
import { get, workersProject, type Answer } from '../factories/processes/workers';

const servers = new ServerProcesses();
afterAll(() => servers.clear());
jest.setTimeout(180_000);

const PATH = '/v2/atlas/visits';

describe('Digest with several workers', () => {
  let origin: string;
  beforeAll(async () => {
    const local = { ...sampleAuthentication, server: { workers: 3 } };
    origin = await servers
      .start(['--root', servers.project(workersProject(local, { modules: ALL_MODULES }))])
      .origin();
  });

  const challenge = async (): Promise<string> => {
    const { authenticate = '' } = await get(origin + PATH);
    return authenticate.slice(authenticate.indexOf('Digest '));
  };

  /** Sends a request with a nonce count, over a connection of its own. */
  const send = (to: string, nc: number): Promise<Answer> => {
    const user = { username: 'guide', password: 'explore' };
    const authorization = answerTo(to, { ...user, method: 'GET', uri: PATH, nc });
    return get(origin + PATH, { headers: { Authorization: authorization } });
  };

  it('accepts a nonce of one worker in all of them', async () => {
    const nonce = await challenge();
    for (let nc = 1; nc <= 9; nc++) expect((await send(nonce, nc)).status).toBe(200);
  });

  it('accepts each count exactly once, whichever workers it is sent to at the same time', async () => {
    const nonce = await challenge();
    const counts = Array.from({ length: 40 }, (_, at) => at + 1);
    const answers = await Promise.all(
      counts.flatMap((nc) => [1, 2, 3, 4].map(() => send(nonce, nc).then((answer) => ({ nc, ...answer })))),
    );
    const accepted = answers.filter(({ status }) => status === 200).map(({ nc }) => nc);
    expect(accepted.sort((a, b) => a - b)).toEqual(counts);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    expect(refused.every(({ authenticate }) => authenticate?.includes('stale=true'))).toBe(true);
  });

  it('refuses a replay in every worker', async () => {
    const nonce = await challenge();
    expect((await send(nonce, 1)).status).toBe(200);
    for (let turn = 0; turn < 9; turn++) expect((await send(nonce, 1)).status).toBe(401);
  });
});
