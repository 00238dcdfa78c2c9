import { startAdminPlatform, type AdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';
import { largeApi } from '../../../factories/documents/large-api';
import { longestPauseShare } from '../../../factories/measure/longest-pause';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(120);

/** 30,300 values in a file of 3 MB. */
const SERVICES = 300;

let platform: AdminPlatform;
beforeAll(async () => {
  const files = { 'config/autoload/large.global.json': JSON.stringify(largeApi(SERVICES, 15), null, 2) };
  platform = await startAdminPlatform({ files });
});
afterAll(() => platform.stop());

const get = async (query: string): Promise<string> =>
  (await platform.ada.get(`/configuration${query}`)).text();
const elementsIn = (html: string): number => html.match(/<[a-z]/g)?.length ?? 0;

describe('A configuration with many values', () => {
  it('is shown in parts with their number of values', async () => {
    const html = await get('');
    expect(elementsIn(html)).toBeLessThan(1000);
    expect(textOf(html)).toMatch(/platform-hosting\.apis\.Large .*\b303\d\d\b/);
    expect(html).toContain('?at=%2Fplatform-hosting');
  });

  it('links to every service, on several pages', async () => {
    const services = '?at=/platform-hosting/apis/Large/versions/1/services';
    const html = await get(services);
    expect(elementsIn(html)).toBeLessThan(2500);
    expect(textOf(html)).toContain('Service299 101');
    const last = await get(`${services}/Service299/methods/POST`);
    expect(textOf(last)).toMatch(
      /POST\.fields\.properties\.field_14\.description "Field 14 of service 299\." config\/autoload\/large\.global\.json:\d+:\d+/,
    );
  });

  it('can be searched as a whole with paged results', async () => {
    const html = await get('?search=FIELD_14+large.global');
    expect(textOf(html)).toContain('1800 values found. ');
    expect(textOf(html)).toContain('Page 1 of 6 Next');
    expect(elementsIn(html)).toBeLessThan(4000);
    const last = await get('?search=FIELD_14+large.global&page=99');
    expect(textOf(last)).toContain('Page 6 of 6');
    expect(last).toContain('Service299.methods.POST.response.properties.field_14');
  });

  it('can be searched within a part', async () => {
    const found = textOf(
      await get('?at=/platform-hosting/apis/Large/versions/1/services/Service7&search=field_1'),
    );
    expect(found).toContain('36 values found.');
    expect(found).not.toContain('Service71');
  });

  it('does not block other requests for long', async () => {
    const share = await longestPauseShare(async () => {
      await get('');
      await get('?search=no-such-thing');
    });
    expect(share).toBeLessThan(0.35);
  });

  it('is changed without holding up other requests for long', async () => {
    const texts = '/apis/Large-v1/texts/Service7';
    const share = await longestPauseShare(async (run) => {
      const fields = { '/versions/1/services/Service7/description': `Another text ${run}.` };
      const page = await (await platform.ada.post(texts, fields)).text();
      expect(textOf(page)).toContain(`Another text ${run}.`);
    });
    expect(share).toBeLessThan(0.4);
  });

  it('responds with 404 for a part that does not exist', async () => {
    const answer = await platform.ada.get('/configuration?at=/platform-hosting/nothing');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('platform-hosting.nothing');
  });
});
