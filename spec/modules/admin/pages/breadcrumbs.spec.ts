import { navigation } from '../../../../src/modules/admin/pages/navigation';
import { startAdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';
import { reusedPlatform } from '../../../factories/reused-platform';

const { platform } = reusedPlatform(startAdminPlatform);

/** The last entry of the breadcrumbs, if it is marked as the current page. */
async function currentCrumb(below: string): Promise<string | undefined> {
  const html = await (await platform.ada.get(below)).text();
  const [, crumb] = /<span aria-current="page">(.*?)<\/span><\/li>\s*<\/ol>/.exec(html) ?? [];
  return crumb === undefined ? undefined : textOf(`<main>${crumb}</main>`).trim();
}

const sections = navigation.flat().filter(({ path }) => path !== '/');

describe('The breadcrumbs', () => {
  it.each(sections)('of $path end with $label', async ({ path, label }) => {
    expect(await currentCrumb(path)).toBe(label);
  });

  it.each([
    ['/apis/Atlas-v1', 'Atlas v1'],
    ['/apis/Atlas-v1/authorization', 'Atlas v1'],
    ['/apis/Atlas-v1/services', 'Atlas v1'],
    ['/apis/Atlas-v1/services/new', 'New service'],
    ['/apis/Atlas-v1/services/procedures/new', 'New procedure'],
    ['/apis/Atlas-v1/texts', 'Atlas v1'],
    ['/apis/Atlas-v1/texts/Country', 'Country'],
    ['/selectors/Json', 'Json'],
    ['/selectors/Json/models/JsonModel', 'JsonModel'],
  ])('of %s end with %s', async (below, name) => {
    expect(await currentCrumb(below)).toBe(name);
  });
});
