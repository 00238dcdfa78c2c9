import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PASSWORD, startAdminPlatform } from '../../../../factories/admin/admin';
import { textOf } from '../../../../factories/admin/admin-pages';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { basic, bodyOf, sendJson } from '../../../../factories/http/requests';
import { reusedPlatform } from '../../../../factories/reused-platform';
import { authentication, CLUB_ADAPTERS, CLUB_FILES } from '../../../../fixtures/club-module';
import { PolicyModule } from '../../../../fixtures/policy-module';

const GRID = '/apis/Doors-v1/authorization';
const API = '/platform/admin/api/v1/authorization/Doors-v1';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };

const { platform } = reusedPlatform(() =>
  startAdminPlatform({
    extra: [new PolicyModule()],
    files: CLUB_FILES,
    local: authentication(
      CLUB_ADAPTERS,
      { Doors: 'basic' },
      { 'Doors-v1': { Note: { entity: { DELETE: { policy: 'owner-only' } } } } },
    ),
  }),
);

const page = async (): Promise<string> => (await platform.ada.get(GRID)).text();
const written = (): unknown => {
  const file = readFileSync(path.join(platform.root, 'config/autoload/local.json'), 'utf8');
  return Reflect.get(Reflect.get(JSON.parse(file) as object, 'platform-mvc-auth') as object, 'authorization');
};
const patch = (rules: readonly unknown[]): Promise<Response> =>
  platform.request(API, sendJson({ rules }, 'PATCH', AS_ADA));

describe('The authorization page of an API with policy rules', () => {
  it('describes the policy and the source of the rule', async () => {
    const text = textOf(await page());
    expect(text).toContain('users allowed by the policy "owner-only" declared by the module "policies"');
    expect(text).toContain('Not set (users allowed by the policy "calendar")');
    expect(text).toContain(
      'users allowed by the policy "owner-only" platform-mvc-auth.authorization.Doors-v1.Note.entity.DELETE',
    );
  });

  it('offers a policy only if the rule of this version has one', async () => {
    const offered = [...(await page()).matchAll(/<option value="policy"( selected)?>([^<]*)</g)];
    expect(offered.map(([, selected, words]) => [selected, words])).toEqual([
      [' selected', 'Users allowed by the policy owner-only'],
    ]);
  });

  it('keeps the policy when another rule is changed', async () => {
    const fields = fieldsOf(await page(), 'rule:Window.rpc.GET').filter(([name]) => name !== 'csrf');
    const changed = fields.map(([name, value]): [string, string] =>
      name === 'rule:Window.rpc.GET' ? [name, 'guest'] : [name, value],
    );
    const shown = await (await platform.ada.post(GRID, changed)).text();
    expect((await platform.ada.post(GRID, fieldsOf(shown, 'confirm'))).status).toBe(303);
    expect(written()).toEqual({
      'Doors-v1': {
        Note: { entity: { DELETE: { policy: 'owner-only' } } },
        Window: { GET: 'guest' },
      },
    });
    expect((await platform.request('/window')).status).toBe(200);
  });

  it('replaces a policy with another rule', async () => {
    const shown = await (await platform.ada.post(GRID, { 'rule:Note.entity.DELETE': 'guest' })).text();
    await platform.ada.post(GRID, fieldsOf(shown, 'confirm'));
    expect((await platform.request('/notes/1', { method: 'DELETE' })).status).toBe(204);
  });
});

describe('The admin API', () => {
  it('shows policies and accepts a registered one', async () => {
    const grid = await bodyOf(await platform.request(API, { headers: AS_ADA }));
    expect(grid.rules).toContainEqual(
      expect.objectContaining({
        service: 'Door',
        rule: null,
        effective: { policy: 'by-header' },
        source: 'the module "policies"',
      }),
    );
    const rule = { service: 'Window', part: 'rpc', method: 'GET' };
    expect((await patch([{ ...rule, rule: { policy: 'by-header' } }])).status).toBe(200);
    expect((await platform.request('/window', { headers: { ...AS_ADA } })).status).toBe(401);
  });

  it('rejects unknown policies and invalid rules', async () => {
    const rule = { service: 'Window', part: 'rpc', method: 'GET' };
    const refused = await patch([{ ...rule, rule: { policy: 'nobody-knows' } }]);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(await bodyOf(refused))).toContain(
      'no module binds an authorization policy named \\"nobody-knows\\"',
    );
    expect((await patch([{ ...rule, rule: { policy: '' } }])).status).toBe(422);
    expect((await patch([{ ...rule, rule: {} }])).status).toBe(422);
    expect((await platform.request('/window')).status).toBe(401);
  });

  it('rejects a policy for the services that revert changes, since its decision cannot be predicted', async () => {
    const restore = { service: 'Restore', part: 'rpc', method: 'POST', rule: { policy: 'by-header' } };
    const undo = { ...restore, service: 'Undo' };
    const admin = '/platform/admin/api/v1/authorization/Admin-v1';
    const answer = await platform.request(admin, sendJson({ rules: [restore, undo] }, 'PATCH', AS_ADA));
    expect(answer.status).toBe(409);
    expect(await bodyOf(answer)).toMatchObject({
      detail: expect.stringContaining('may not allow "ada"') as string,
    });
  });
});
