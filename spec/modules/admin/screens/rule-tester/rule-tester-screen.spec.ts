import { startAdminPlatform, WITH_ADMIN, type AdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { authentication, CLUB_ADAPTERS, CLUB_FILES, ClubModule } from '../../../../fixtures/club-module';

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform({
    modules: WITH_ADMIN,
    extra: [new ClubModule()],
    files: CLUB_FILES,
    local: authentication(CLUB_ADAPTERS, { Club: 'basic' }, { Club: { Note: { entity: { GET: ['bob'] } } } }),
  });
});
afterAll(() => platform.stop());

const show = async (query: Readonly<Record<string, string>> = {}) => {
  const answer = await platform.ada.get(`/rule-tester?${new URLSearchParams(query).toString()}`);
  const html = await answer.text();
  return { status: answer.status, html, text: textOf(html) };
};
const members = { what: 'operation', api_version: 'Club-v1', operation: 'Members GET' };

describe('the page of the rule tester', () => {
  it('offers the operations of the chosen version, and tests nothing before it is asked', async () => {
    const { status, html, text } = await show({ api_version: 'Club-v2' });
    expect(status).toBe(200);
    expect(html).toContain('<option value="Club-v2" selected>Club v2</option>');
    expect(html).toContain('<optgroup label="Note">');
    expect(html).toContain('<option>Note entity DELETE</option>');
    expect(text).not.toContain('Why');
  });

  it('shows the verdict, the reasons in order, the challenges and what would permit the request', async () => {
    const { status, html, text } = await show({ who: 'guest', ...members });
    expect(status).toBe(200);
    expect(text).toMatch(
      /Refused 401 Unauthorized .* Why The request addresses Members GET of Club v1\. The adapter "basic" .* WWW-Authenticate Basic realm="Club".* What would permit it Sign in with "basic" as a user\./,
    );
    expect(html).toContain('href="/platform/admin/apis/Club-v1/authorization?search=Members"');
    const permitted = await show({ who: 'user', name: 'ada', adapter: 'basic', ...members });
    expect(permitted.text).toMatch(/Permitted 200 OK .* It permits every user\./);
    expect(permitted.html).toContain('outcome-good');
    expect(permitted.text).not.toContain('What would permit it');
  });

  it('keeps what was entered, and shows errors at their fields', async () => {
    const { status, html } = await show({ who: 'user', name: '<b>', adapter: 'basic', ...members });
    expect(status).toBe(422);
    expect(html).toContain('value="&lt;b&gt;"');
    expect(html).toContain('id="name-error"');
    const path = await show({ who: 'guest', what: 'path', path: 'x' });
    expect([path.status, path.html.includes('id="path-error"')]).toEqual([422, true]);
    const other = await show({ who: 'guest', ...members, operation: 'Nope GET' });
    expect(other.html).toContain('id="operation-error"');
    expect(other.html).toContain('<option value="" selected>Choose an operation</option>');
  });

  it.each(['//evil.example/x', '/%', '/%00', '/platform/admin/adapters', `/${'a'.repeat(5_000)}`, '/?a=b'])(
    'answers about any path: %.40s',
    async (path) => {
      const { status, text } = await show({ who: 'guest', what: 'path', path });
      expect([200, 422]).toContain(status);
      expect(text).toContain('Rule tester');
    },
  );

  it('is linked from the access map and from each rule', async () => {
    const map = await (await platform.ada.get('/access-map')).text();
    expect(map).toContain('<p class="lead">Which adapters');
    expect(textOf(map)).toContain('The rule tester says');
    const rules = await (await platform.ada.get('/apis/Club-v1/authorization')).text();
    const [, link = ''] =
      /href="\/platform\/admin(\/rule-tester\?[^"]*Note%20entity%20GET)"/.exec(rules) ?? [];
    const { html } = await show(
      Object.fromEntries(new URL(link.replaceAll('&amp;', '&'), 'http://x').searchParams),
    );
    expect(html).toContain('<option selected>Note entity GET</option>');
  });

  it('requires an administrator', async () => {
    const answer = await platform.stranger().get('/rule-tester?who=guest');
    expect(answer.status).toBe(303);
  });
});
