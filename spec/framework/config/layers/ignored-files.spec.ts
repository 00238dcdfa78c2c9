import fc from 'fast-check';
import { ignoredFiles } from '../../../../src/framework/config/layers/ignored-files';

/** Returns the warning about a file, without its name. */
function warningFor(name: string, others: readonly string[] = []): string | undefined {
  const [first, ...further] = ignoredFiles([name, ...others], others);
  expect(further).toEqual([]);
  expect(first?.startsWith(`config/autoload/${name} is not read`)).not.toBe(false);
  return first?.slice(`config/autoload/${name} `.length);
}

describe('An ignored file in config/autoload', () => {
  it('causes a warning with the names that it could have', () => {
    expect(ignoredFiles(['shop.json'], [])).toEqual([
      'config/autoload/shop.json is not read: only global.json, local.json, *.global.json, *.global.js, *.local.json and *.local.js are. Rename it to shop.global.json, or shop.local.json for this machine only.',
    ]);
  });

  it.each([
    ['mylocal.json', 'Rename it to mylocal.global.json, or mylocal.local.json for this machine only.'],
    ['shop-global.json', 'Rename it to shop.global.json.'],
    ['local.shop.json', 'Rename it to shop.local.json.'],
    ['shop_Local.JSON', 'Rename it to shop.local.json.'],
    ['Shop.Global.json', 'Rename it to Shop.global.json.'],
    ['LOCAL.json', 'Rename it to local.json.'],
    ['global.js', 'Rename it to settings.global.js. Move files that scripts require to another folder.'],
    ['x.local.mjs', 'Rename it to x.local.js. Move files that scripts require to another folder.'],
    ['shop.global.yaml', 'Convert it to JSON, as shop.global.json.'],
    ['global.yml', 'Convert it to JSON, as global.json.'],
    ['shop.local.php', 'Convert it to JSON, as shop.local.json.'],
    ['shop.local.ts', 'Convert it to JavaScript, as shop.local.js.'],
  ])('causes a warning about %s: %s', (name, advice) => {
    expect(warningFor(name)).toMatch(/^is not read[^:]*: only /);
    expect(warningFor(name)?.endsWith(` are. ${advice}`)).toBe(true);
  });

  it('causes a warning that does not suggest overwriting another file', () => {
    expect(warningFor('global.yaml', ['global.json'])).toMatch(
      /are\. Convert it to JSON, as global\.json \(which exists: add to it\)\.$/,
    );
    expect(warningFor('shop.json', ['shop.local.json'])).toMatch(
      /Rename it to shop\.global\.json, or shop\.local\.json \(which exists: add to it\) for this machine only\.$/,
    );
  });

  it.each([
    'local.json.dist',
    'local.dist.json',
    'shop.bak.json',
    'shop.json.bak',
    'shop.json~',
    '.shop.json.swp',
    '.hidden.json',
    '#shop.json#',
    'local.json.lock',
    'README.md',
    'README',
    'shop.d.ts',
    'json',
    '.json',
  ])('causes no warning with the name %s', (name) => {
    expect(warningFor(name)).toBeUndefined();
  });

  it('causes no warning if its compiled script is read', () => {
    expect(warningFor('shop.global.ts', ['shop.global.js'])).toBeUndefined();
  });

  it('is printed without control characters', () => {
    const [message] = ignoredFiles(['a\n\u001b[31m.json'], []);
    expect(message).toMatch(/^config\/autoload\/a\\u\{a\}\\u\{1b\}\[31m\.json is not read: .*$/);
    expect(message).not.toContain('\u001b');
  });

  it('causes a warning that suggests only names that are read, for any name', () => {
    fc.assert(
      fc.property(
        fc.tuple(
          fc.stringMatching(/^[\w][\w.-]{0,12}$/),
          fc.constantFrom('json', 'js', 'cjs', 'yaml', 'ts', 'JSON'),
        ),
        ([stem, ending]) => {
          for (const message of ignoredFiles([`${stem}.${ending}`], [])) {
            const advised = [...message.matchAll(/(?: as|Rename it to|, or) (\S+?)(?:,|\.(?: |$)| for)/g)];
            expect(advised.length).toBeGreaterThan(0);
            for (const [, name] of advised)
              expect(name).toMatch(/(^(global|local)\.json|.\.(global|local)\.js(on)?)$/);
          }
        },
      ),
    );
  });
});
