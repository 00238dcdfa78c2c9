import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SAMPLE_LANGUAGES } from '../../../../src/modules/documentation/samples/languages';
import type { ConfigObject } from '../../../../src/framework';
import { ROOT, startTestPlatform } from '../../../factories/platform';
import { startRefusal } from '../../../factories/processes/start-refusal';
import { setTestTimeout } from '../../../factories/test-timeout';

setTestTimeout(60);

async function pageWith(settings: ConfigObject): Promise<string> {
  const platform = await startTestPlatform({ local: { 'platform-documentation': settings } });
  const page = await platform.request('/platform/documentation/Atlas-v2/Country', {
    headers: { accept: 'text/html' },
  });
  const text = await page.text();
  await platform.stop();
  return text;
}

const labelsOf = (page: string): readonly (string | undefined)[] => {
  const [, fieldset = ''] = /<fieldset class="languages">([\s\S]*?)<\/fieldset>/.exec(page) ?? [];
  return [...fieldset.matchAll(/>([^<>]+)<\/label>/g)].map(([, label]) => label);
};

describe('the setting "samples"', () => {
  it('defaults to four languages', async () => {
    expect(labelsOf(await pageWith({}))).toEqual(['curl', 'JavaScript', 'Python', 'HTTPie']);
  });

  it('selects the languages of the pages, in its order', async () => {
    const page = await pageWith({ samples: ['csharp', 'curl', 'powershell'] });
    expect(labelsOf(page)).toEqual(['C#', 'curl', 'PowerShell']);
    expect(page.replace(/<[^>]+>/g, '')).toContain('using var client = new HttpClient();');
    expect(page).not.toContain('import urllib');
  });

  it('removes the samples if it is empty', async () => {
    const page = await pageWith({ samples: [] });
    expect(page).not.toContain('class="languages"');
    expect(page).toContain('data-console=');
  });

  it('refuses unknown languages, and lists the available ones', async () => {
    const text = await startRefusal({ local: { 'platform-documentation': { samples: ['curl', 'cobol'] } } });
    expect(text).toContain('platform-documentation.samples[1]: is "cobol"; allowed: "curl"');
    for (const name of Object.keys(SAMPLE_LANGUAGES)) expect(text).toContain(`"${name}"`);
  });
});

it('has styles that show every language', () => {
  const styles = readFileSync(path.join(ROOT, 'templates/assets/platform.css'), 'utf8');
  for (const name of Object.keys(SAMPLE_LANGUAGES)) {
    expect(styles).toContain(`.calls:has([value='${name}']:checked) .call-${name}`);
    expect(styles).toContain(`:root[data-language='${name}'] .calls .call-${name}`);
  }
});
