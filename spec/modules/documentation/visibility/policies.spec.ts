import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../../fixtures/club-module';
import { PolicyModule } from '../../../fixtures/policy-module';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    extra: [new PolicyModule()],
    files: CLUB_FILES,
    local: authentication(CLUB_ADAPTERS, { Doors: 'basic' }),
  });
});
afterAll(() => platform.stop());

const rendered = async (service: string, accept: string): Promise<string> =>
  (await platform.request(`/platform/documentation/Doors-v1/${service}`, { headers: { accept } })).text();

describe('the documentation of an operation with a policy', () => {
  it('has the policy in the object model', async () => {
    const answer = await platform.request('/platform/documentation/Doors-v1/Note');
    const { entity_operations: operations } = await bodyOf(answer);
    expect(operations).toContainEqual(
      expect.objectContaining({
        http_method: 'GET',
        requires_authorization: true,
        authorization_policy: { name: 'owner-only', description: 'The author of the *note*.' },
      }),
    );
  });

  it('has no policy if there is none', async () => {
    const answer = await platform.request('/platform/documentation/Doors-v1/Note');
    const { operations } = await bodyOf(answer);
    expect(JSON.stringify(operations)).not.toContain('policy');
  });

  it('shows the policy on the page', async () => {
    const page = await rendered('Note', 'text/html');
    expect(page).toContain(
      'The policy <code>owner-only</code> decides which users may call it: The author of the *note*.</p>',
    );
    expect(await rendered('Window', 'text/html')).toContain(
      'The policy <code>calendar</code> decides which users may call it.</p>',
    );
  });

  it('shows the policy in Markdown', async () => {
    expect(await rendered('Note', 'text/markdown')).toContain(
      'The policy `owner-only` decides which users may call it: The author of the \\*note\\*.',
    );
  });

  it.each([
    'application/vnd.apidesc+json',
    'application/yaml',
    'application/vnd.oai.openapi+json',
    'application/vnd.swagger+json',
    'application/json',
    'text/html',
    'text/markdown',
  ])('describes the 403 in %s', async (accept) => {
    expect(
      (await rendered('Note', accept)).replaceAll(/\\(?=["*])|&quot;/g, (mark) => (mark === '\\' ? '' : '"')),
    ).toContain('Forbidden by the policy "owner-only": The author of the *note*.');
  });
});
