import fc from 'fast-check';
import { ignoredFiles } from '../../../../src/framework/config/layers/ignored-files';

/** What is said of one file, without its own name. */
function saidOf(name: string, beside: readonly string[] = []): string | undefined {
  const [first, ...further] = ignoredFiles([name, ...beside], beside);
  expect(further).toEqual([]);
  expect(first?.startsWith(`config/autoload/${name} is not read`)).not.toBe(false);
  return first?.slice(`config/autoload/${name} `.length);
}

describe('A file of config/autoload that no layer is made of', () => {
  it('is told of, with the names that it could have', () => {
    expect(ignoredFiles(['shop.json'], [])).toEqual([
      'config/autoload/shop.json is not read: only global.json, local.json, *.global.json, *.global.js, *.local.json and *.local.js are. Call it shop.global.json, or shop.local.json for this machine alone.',
    ]);
  });

  it.each([
    ['mylocal.json', 'Call it mylocal.global.json, or mylocal.local.json for this machine alone.'],
    ['shop-global.json', 'Call it shop.global.json.'],
    ['local.shop.json', 'Call it shop.local.json.'],
    ['shop_Local.JSON', 'Call it shop.local.json.'],
    ['Shop.Global.json', 'Call it Shop.global.json.'],
    ['LOCAL.json', 'Call it local.json.'],
    ['global.js', 'Call it settings.global.js. What only a script requires belongs in another folder.'],
    ['x.local.mjs', 'Call it x.local.js. What only a script requires belongs in another folder.'],
    ['shop.global.yaml', 'Write it in JSON, as shop.global.json.'],
    ['global.yml', 'Write it in JSON, as global.json.'],
    ['shop.local.php', 'Write it in JSON, as shop.local.json.'],
    ['shop.local.ts', 'Write it in JavaScript, as shop.local.js.'],
  ])('is told %s', (name, advice) => {
    expect(saidOf(name)).toMatch(/^is not read[^:]*: only /);
    expect(saidOf(name)?.endsWith(` are. ${advice}`)).toBe(true);
  });

  it('is not told to take the place of another', () => {
    expect(saidOf('global.yaml', ['global.json'])).toMatch(
      /are\. Write it in JSON, as global\.json \(there is one: add to it\)\.$/,
    );
    expect(saidOf('shop.json', ['shop.local.json'])).toMatch(
      /Call it shop\.global\.json, or shop\.local\.json \(there is one: add to it\) for this machine alone\.$/,
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
  ])('is not worth a word where it is called %s', (name) => {
    expect(saidOf(name)).toBeUndefined();
  });

  it('is not worth a word where what TypeScript made of it is read', () => {
    expect(saidOf('shop.global.ts', ['shop.global.js'])).toBeUndefined();
  });

  it('is shown without what a console would act on', () => {
    const [message] = ignoredFiles(['a\n\u001b[31m.json'], []);
    expect(message).toMatch(/^config\/autoload\/a\\u\{a\}\\u\{1b\}\[31m\.json is not read: .*$/);
    expect(message).not.toContain('\u001b');
  });

  it('is told names that are read, whatever it is called', () => {
    fc.assert(
      fc.property(
        fc.tuple(
          fc.stringMatching(/^[\w][\w.-]{0,12}$/),
          fc.constantFrom('json', 'js', 'cjs', 'yaml', 'ts', 'JSON'),
        ),
        ([stem, ending]) => {
          for (const message of ignoredFiles([`${stem}.${ending}`], [])) {
            const advised = [...message.matchAll(/(?: as|Call it|, or) (\S+?)(?:,|\.(?: |$)| for)/g)];
            expect(advised.length).toBeGreaterThan(0);
            for (const [, name] of advised)
              expect(name).toMatch(/(^(global|local)\.json|.\.(global|local)\.js(on)?)$/);
          }
        },
      ),
    );
  });
});
