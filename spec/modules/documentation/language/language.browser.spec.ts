import { launchBrowser, violations } from '../../../factories/browser/browser';
import { sampleAuthentication, startTestPlatform } from '../../../factories/platform';
import { withPrograms } from '../../../factories/processes/programs';
import { setTestTimeout } from '../../../factories/test-timeout';

const { it } = withPrograms('chromium');

setTestTimeout(120);

it('shows the console and the search in German', async () => {
  const local = { ...sampleAuthentication, 'platform-documentation': { language: 'de' } };
  const platform = await startTestPlatform({ local });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${platform.origin}/platform/documentation/Atlas-v2/Country`, {
      waitUntil: 'networkidle',
    });
    expect(
      await page
        .locator('q')
        .first()
        .evaluate((one) => getComputedStyle(one).quotes),
    ).toBe('"„" "“"');
    await page.locator('#GET-collection').getByRole('button', { name: 'Ausprobieren' }).click();
    const form = page.getByRole('form', { name: 'GET ausprobieren' });
    await form.getByText('Abfrageparameter').waitFor();
    await form.getByRole('button', { name: 'Senden' }).click();
    await page.getByText('Header der Antwort').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Suche' }).click();
    await page.getByRole('combobox', { name: 'Dokumentation durchsuchen' }).fill('visit');
    await page.locator('.found').first().waitFor();
    expect(await page.locator('.found-where').first().innerText()).toMatch(
      /^(Operation|Dienst|API|Feld|Schema)/i,
    );
    expect(await page.locator('.found-status').innerText()).toMatch(/Ergebnis/);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await platform.stop();
  }
});
