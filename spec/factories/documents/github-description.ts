import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ConfigObject } from '../../../src/framework';
import { importOpenapi } from '../../../src/modules/documentation-import';

/** GitHub's public description of its API, which `npm run contract` downloads. */
const FILE = path.join(
  __dirname,
  '../../../contract/node_modules/.cache/contract/-octokit-openapi-23-0-2.json',
);

/** Returns jest's `describe`, which is skipped until GitHub's description was downloaded. */
export function withGithubDescription(suite: jest.Describe): jest.Describe {
  return existsSync(FILE) ? suite : describe.skip;
}

/** The configuration of GitHub's API as the import writes it: 810 services with 1,222 operations. */
export function githubApi(): ConfigObject {
  const { api } = importOpenapi({ text: readFileSync(FILE, 'utf8'), name: 'GitHub' }, 1);
  return { 'platform-hosting': { apis: { GitHub: api } } };
}
