import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { largeApi } from '../../../../factories/documents/large-api';
import { setTestTimeout } from '../../../../factories/test-timeout';

setTestTimeout(120);

/** Each service has two operations. */
const SERVICES = 300;

let platform: AdminPlatform;
beforeAll(async () => {
  const files = { 'config/autoload/large.global.json': JSON.stringify(largeApi(SERVICES, 3), null, 2) };
  platform = await startAdminPlatform({ files });
});
afterAll(() => platform.stop());

const get = async (below: string): Promise<string> =>
  (await platform.ada.get(`/apis/Large-v1${below}`)).text();
const elementsIn = (html: string): number => html.match(/<[a-z]/g)?.length ?? 0;
const ruleOf = (service: number, method: string): unknown =>
  platform.application.configuration.valueAt([
    'platform-mvc-auth',
    'authorization',
    'Large-v1',
    `Service${service}`,
    method,
  ]);

/** Submits a form and confirms its preview. @returns the text of the preview */
async function save(below: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const page = await (await platform.ada.post(`/apis/Large-v1${below}`, fields)).text();
  const confirm = /name="confirm" value="([^"]+)"/.exec(page)?.[1];
  if (confirm === undefined) return textOf(page);
  const answer = await platform.ada.post(`/apis/Large-v1${below}`, { ...fields, confirm });
  expect(answer.status).toBe(303);
  return textOf(page);
}

describe('The authorization of an API with many operations', () => {
  it('is paged', async () => {
    const html = await get('/authorization');
    expect(elementsIn(html)).toBeLessThan(3000);
    expect(textOf(html)).toContain('600 operations.');
    expect(textOf(html)).toContain('Page 1 of 6 Next');
    expect(textOf(await get('/authorization?page=6'))).toContain('Service299');
  });

  it('can be filtered by words, group and effective rule', async () => {
    expect(textOf(await get('/authorization?search=service29+post'))).toContain('11 operations found.');
    expect(textOf(await get('/authorization?group=group+3'))).toContain('60 operations found.');
    const none = textOf(await get('/authorization?access=authenticated'));
    expect(none).toContain('No operations found.');
    expect(none).not.toMatch(/0 operations|Review changes/);
  });

  it('can be changed for exactly the operations that a filter finds', async () => {
    const fields = { bulk: 'yes', 'bulk-rule': 'names', 'bulk-names': 'ada, @editors' };
    const difference = await save('/authorization?group=group+3&search=POST', fields);
    expect(difference).toContain('Changed the access rules of Large-v1: 30 operations.');
    expect(ruleOf(3, 'POST')).toEqual(['ada', '@editors']);
    expect(ruleOf(293, 'POST')).toEqual(['ada', '@editors']);
    expect(ruleOf(3, 'GET')).toBeUndefined();
    expect(ruleOf(4, 'POST')).toBeUndefined();
    expect(textOf(await get('/authorization?access=names'))).toContain('30 operations found.');
  });

  it('reports invalid names once, not for each operation', async () => {
    const fields = { bulk: 'yes', 'bulk-rule': 'names', 'bulk-names': '' };
    const refused = await save('/authorization?search=service1', fields);
    expect(refused.match(/Enter at least one user/g)).toHaveLength(2);
    expect(refused).toContain('Change all 222 operations found');
  });

  it('can be changed on a later page without changing other pages', async () => {
    await save('/authorization?page=6', { 'rule:Service299.rpc.GET': 'authenticated' });
    expect(ruleOf(299, 'GET')).toBe('authenticated');
    expect(ruleOf(3, 'POST')).toEqual(['ada', '@editors']);
  });
});

describe('The other pages of an API with many services', () => {
  it('page the adapters and find services by name', async () => {
    const html = await get('');
    expect(elementsIn(html)).toBeLessThan(2500);
    expect(textOf(html)).toContain('Page 1 of 6 Next');
    const found = textOf(await get('?search=service299'));
    expect(found).toContain('Service299');
    expect(found).not.toContain('Service298');
  });

  it('page the documented services and find them by name', async () => {
    const html = await get('/texts');
    expect(textOf(html)).toContain('Page 1 of 2 Next');
    expect(textOf(await get('/texts?search=service299'))).toMatch(/Services Service299\s/);
    expect(textOf(await get('/texts/Service299'))).toContain('field_2');
  });
});
