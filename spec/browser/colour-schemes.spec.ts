import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../factories/platform';

/** The custom properties of a selector, in all of its rules. */
function colours(css: string, selector: string): readonly string[] {
  const rules = css.split(`${selector} {`).slice(1);
  return rules.flatMap((rule) => rule.slice(0, rule.indexOf('}')).match(/--[\w-]+: [^;]+/g) ?? []);
}

describe('the dark colours of the pages', () => {
  it.each(['platform.css', 'admin.css'])(
    'are those of the system and of the choice of the reader: %s',
    (name) => {
      const css = readFileSync(path.join(ROOT, 'templates/assets', name), 'utf8');
      const chosen = colours(css, ":root[data-theme='dark']");
      expect(chosen.length).toBeGreaterThan(5);
      expect(chosen).toEqual(colours(css, ":root:not([data-theme='light'])"));
    },
  );
});
