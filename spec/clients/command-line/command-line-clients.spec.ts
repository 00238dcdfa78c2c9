import { USER } from '../challenges';
import { curl, curlClient } from './curl';
import { forEachChallenge, testSignIn } from '../sign-in';
import { wget } from './wget';
import { withPrograms } from '../../factories/processes/programs';

const { describe } = withPrograms('curl', 'wget');

describe('a command-line client', () => {
  forEachChallenge((challenge, guarded) => {
    testSignIn([curlClient, wget], challenge, guarded);

    it('curl sends two requests over one connection', async () => {
      const { visits } = guarded();
      const requests = [
        { method: 'GET', url: visits },
        { method: 'GET', url: `${visits}?page=1` },
      ] as const;
      expect(await curl({ ...USER, challenge, requests })).toMatchObject([
        { status: 200, connections: 1 },
        { status: 200, connections: 0 },
      ]);
    });
  });
});
