import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { deScripts } from '../../../../src/modules/documentation/language/de-scripts';
import { enScripts } from '../../../../src/modules/documentation/language/en-scripts';
import { startTestPlatform } from '../../../factories/platform';

const SCRIPTS = path.join(__dirname, '../../../../templates/assets/documentation');
const sources = readdirSync(SCRIPTS).map((file) => readFileSync(path.join(SCRIPTS, file), 'utf8'));
const used = sources.flatMap((source) =>
  [...source.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key = '']) => key),
);

const placeholders = (message: unknown): readonly string[] =>
  [...new Set(JSON.stringify(message).match(/\{\w+\}/g))].sort();

describe('the texts of scripts', () => {
  it('are those that scripts use', () => {
    expect([...new Set(used)].sort()).toEqual(Object.keys(enScripts).sort());
  });

  it('are not literals in scripts', () => {
    const literals = sources.flatMap((source) =>
      [...source.matchAll(/(?:textContent|placeholder|title|'aria-label')\s*[:=]\s*['`](\p{L}[^'`]*)/gu)].map(
        ([, text]) => text,
      ),
    );
    expect(literals).toEqual([]);
  });

  it('have the same keys and placeholders in every language', () => {
    expect(Object.keys(deScripts)).toEqual(Object.keys(enScripts));
    expect(Object.values(deScripts).map(placeholders)).toEqual(Object.values(enScripts).map(placeholders));
  });

  it.each(['en', 'de'])('are served in the language of the pages: %s', async (language) => {
    const platform = await startTestPlatform({ local: { 'platform-documentation': { language } } });
    try {
      const answer = await platform.request('/platform/assets/documentation/messages.js');
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const text = await answer.text();
      expect(text).toContain(`export const language = "${language}";`);
      expect(text).toContain(language === 'de' ? 'Dienste' : 'services');
    } finally {
      await platform.stop();
    }
  });
});
