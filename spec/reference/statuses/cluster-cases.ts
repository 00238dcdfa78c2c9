import { Deployment, DeploymentUnavailable, MemoryState } from '../../../src/framework';
import { answerTo, challengeOf } from '../../factories/sign-in/digest-client';
import type { StatusCase } from './status-case';

const VISITS = '/v2/atlas/visits';

/** Requests while the state that nodes share is out of reach. */
export const clusterCases: readonly StatusCase[] = [
  {
    when: 'Redis cannot be reached, and the password is correct',
    path: VISITS,
    shown: '`Authorization: Digest …`',
    prepare: async ({ application, origin }) => {
      const deployment = application.sharedState.getOrCreate(Deployment, () => new Deployment());
      const state = new MemoryState();
      state.counterFor = () => ({ claim: () => Promise.reject(new DeploymentUnavailable('gone')) });
      deployment.use(state, deployment.keys);
      const challenges = challengeOf(await fetch(origin + VISITS));
      const challenge = challenges.slice(challenges.indexOf('Digest '));
      const user = { username: 'ada', password: 'password' };
      return { Authorization: answerTo(challenge, { ...user, method: 'GET', uri: VISITS, nc: 1 }) };
    },
  },
];
