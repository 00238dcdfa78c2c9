import { groupWarnings, splitWarnings } from '../../../../src/modules/admin/pages/warning-groups';
import { startAdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';

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

  it('that the access map shows as gaps are separated from the others', () => {
    const onAccessMap = [
      'Visit of Atlas-v1 requires a user, but no adapter is mapped to it: map one.',
      'Visit, Stay of Atlas-v2 require a user, but no adapter is mapped to them: map one.',
      'local.json:1:1: the authentication adapter "idle" guards nothing. Map it to an API.',
      'Authentication adapter "staff": data/staff.htpasswd has no user: nobody can sign in',
      'Authentication adapter "club": data/club.htdigest has no user of realm "Club": nobody can sign in',
    ];
    const others = [
      'The pattern "(a+)+" is vulnerable to ReDoS.',
      'The files at /app require a user, but no adapter is mapped to "static-files": map one.',
    ];
    expect(splitWarnings([...others, ...onAccessMap])).toEqual({ onAccessMap, others });
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
