import { startAdminPlatform } from '../../../factories/admin/admin';
import { textOf } from '../../../factories/admin/admin-pages';

it('An admin page is in English where the documentation is in German', async () => {
  const platform = await startAdminPlatform({ local: { 'platform-documentation': { language: 'de' } } });
  try {
    const html = await (await platform.ada.get('/account')).text();
    const [, label, buttons = ''] = /aria-label="([^"]*)" data-theme-switch>(.*?)<\/div>/s.exec(html) ?? [];
    expect([label, textOf(`<main>${buttons}</main>`).trim()]).toEqual(['Theme', 'Light Dark']);
  } finally {
    await platform.stop();
  }
});
