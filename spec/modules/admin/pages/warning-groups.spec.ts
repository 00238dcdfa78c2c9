import { groupWarnings } from '../../../../src/modules/admin/pages/warning-groups';
import { startAdminPlatform } from '../../../factories/admin';
import { textOf } from '../../../factories/admin-pages';

describe('Warnings', () => {
  it('are grouped by the page that fixes them', () => {
    const map = (name: string): string =>
      `${name} requires a user, but no adapter is mapped to it: map one in platform-mvc-auth.authentication.map.`;
    const groups = groupWarnings([map('A'), 'The pattern "(a+)+" is vulnerable to ReDoS.', map('B')]);
    expect(groups.map(({ path, warnings }) => [path, warnings.length])).toEqual([
      ['/apis', 2],
      [undefined, 1],
    ]);
  });

  it('of a change describe the effect of removing the documentation pages, and where to fix it', async () => {
    const platform = await startAdminPlatform();
    try {
      const below = '/selectors/Documentation/models/ViewModel/remove';
      const shown = await (await platform.ada.post(below, {})).text();
      expect(textOf(shown)).toContain(
        'Content negotiation: 1 warning The selector "Documentation" has no text/html',
      );
      expect(shown).toContain('<a href="/platform/admin/selectors">Fix under Content negotiation</a>');
    } finally {
      await platform.stop();
    }
  }, 60_000);
});
