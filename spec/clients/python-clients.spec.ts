import { pythonClients, startPython } from './python-clients';
import type { SessionProcess } from './session-process';
import { forEachChallenge, testSignIn } from './sign-in';
import { withPrograms } from '../factories/processes/programs';

const { describe } = withPrograms('python3-requests', 'python3-httpx');

describe('a Python client', () => {
  let running: SessionProcess;
  beforeAll(() => (running = startPython()));
  afterAll(() => running.stop());
  const clients = pythonClients(() => running);

  forEachChallenge((challenge, guarded) => testSignIn(clients, challenge, guarded));
});
