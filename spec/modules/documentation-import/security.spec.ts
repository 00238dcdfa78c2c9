import { importOpenapi } from '../../../src/modules/documentation-import';
import { startTestPlatform } from '../../factories/platform';

const imported = (security: unknown, ofDocument?: unknown) =>
  importOpenapi(
    {
      name: 'notes.json',
      text: JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Notes', version: '1' },
        paths: { '/notes': { delete: { responses: { 204: { description: 'Gone.' } }, security } } },
        security: ofDocument,
      }),
    },
    1,
  );

/** The rule of the operation, and the reports about its requirements. */
function ruleOf(security: unknown, ofDocument?: unknown): readonly unknown[] {
  const { api, warnings } = imported(security, ofDocument);
  const rule = /"authorization":("\w+"|\[.*?\])/.exec(JSON.stringify(api))?.[1];
  return [
    rule === undefined ? undefined : (JSON.parse(rule) as unknown),
    ...warnings.filter((one) => one.startsWith('security requirement')),
  ];
}

const AT = '#/paths/~1notes/delete/security';
const WITHOUT =
  'security requirement without scopes next to one with scopes (it permits nobody: name users or groups)';
const SEVERAL = 'security requirement of several scopes (it permits nobody: write a policy)';

describe('the security of an operation', () => {
  it.each([
    ['one scope', [{ oauth: ['admin'] }], [['scope:admin']]],
    ['one of two scopes', [{ oauth: ['admin'] }, { oidc: ['owner'] }], [['scope:admin', 'scope:owner']]],
    ['the same scope of two schemes', [{ oauth: ['admin'] }, { oidc: ['admin'] }], [['scope:admin']]],
    ['no scopes', [{ oauth: [] }, { basic: [] }], ['authenticated']],
    ['a scheme without a list', [{ basic: null }], ['authenticated']],
    ['a scope instead of a list', [{ oauth: 'admin' }], [['scope:admin']]],
    ['no sign-in, or a scope', [{}, { oauth: ['admin'] }], [undefined]],
    ['nothing', [], [undefined]],
  ])('becomes a rule: %s', (_, security, expected) => {
    expect(ruleOf(security)).toEqual(expected);
    expect(ruleOf(undefined, security)).toEqual(expected);
  });

  it.each([
    ['two scopes', [{ oauth: ['admin', 'write'] }], [[], `${SEVERAL}: ${AT}/0`]],
    [
      'scopes of two schemes',
      [{ oauth: ['a'], oidc: ['b'] }],
      [[], expect.any(String), `${SEVERAL}: ${AT}/0`],
    ],
    [
      'a scope, or another scheme',
      [{ basic: [] }, { oauth: ['admin'] }],
      [['scope:admin'], `${WITHOUT}: ${AT}/0`],
    ],
    ['two scopes of which one is enough', [{ oauth: ['a', 'b'] }, { oauth: ['a'] }], [['scope:a']]],
    [
      'two schemes together',
      [{ basic: [], key: [] }],
      ['authenticated', `security requirement of several schemes (one of them is enough): ${AT}/0`],
    ],
  ])('permits no more than the document, and reports the rest: %s', (_, security, expected) => {
    expect(ruleOf(security)).toEqual(expected);
  });

  it('of the document is reported there', () => {
    expect(ruleOf(undefined, [{ oauth: ['a', 'b'] }])).toEqual([[], `${SEVERAL}: #/security/0`]);
  });

  it('that cannot be expressed denies access', async () => {
    const { api } = imported([{ oauth: ['a', 'b'] }]);
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Notes: api } } } });
    try {
      expect((await platform.request('/v1/notes', { method: 'DELETE' })).status).toBe(403);
    } finally {
      await platform.stop();
    }
  });
});
