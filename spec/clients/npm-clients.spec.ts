import { installNpmClients, npmClients, startNpm } from './npm-clients';
import type { SessionProcess } from './session-process';
import { forEachChallenge, testSignIn } from './sign-in';

describe('a client from the npm registry', () => {
  let running: SessionProcess;
  beforeAll(async () => {
    await installNpmClients();
    running = startNpm();
  }, 120_000);
  afterAll(() => running.stop());
  const clients = npmClients(() => running);

  forEachChallenge((challenge, guarded) => testSignIn(clients, challenge, guarded));
});
