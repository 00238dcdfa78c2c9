import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { petsModule } from '../../../fixtures/pets-module';

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ extra: [petsModule] })));
afterAll(() => platform.stop());

const read = async (format: string): Promise<string> =>
  (await platform.request(`/platform/documentation/Pets/Pet?format=${format}`)).text();

/** Without white space between elements. */
const page = async (): Promise<string> => (await read('html')).replace(/\s+/g, ' ');

describe('the page of an operation', () => {
  it('shows an array with its items', async () => {
    expect(await page()).toMatch(
      /id="GET\.200"(?:(?!<\/section>).)*array of object(?:(?!<\/section>).)*Each item:/,
    );
    expect(await page()).toContain('<code>weights</code> <span class="type">array of array of number</span>');
  });

  it('shows alternatives with their discriminator', async () => {
    const text = await page();
    expect(text).toContain('At least one of these, by <code>kind</code>:');
    for (const kind of ['cat', 'dog'])
      expect(text).toContain(`id="POST.body.animal.${kind}" data-tab="${kind}"`);
    expect(text).toContain('<li id="POST.body.animal.dog.tricks.items.level">');
  });

  it('shows flags, defaults and whether other members are allowed', async () => {
    const text = await page();
    expect(text).toMatch(
      /<code>email<\/code> <span class="type">string<\/span> <span class="flag flag-write-only">/,
    );
    expect(text).toMatch(
      /<code>id<\/code> <span class="type">integer<\/span> <span class="flag flag-read-only">/,
    );
    expect(text).toMatch(
      /<code>nickname<\/code>.{0,60}<span class="flag flag-deprecated">deprecated<\/span>/,
    );
    expect(text).toContain('<code>owner</code> <span class="type">object or null</span>');
    expect(text).toContain('<span>Default <code>9</code></span>');
    expect(text).toContain('<code>labels</code> <span class="type">map of string</span>');
    expect(text).toMatch(/<li id="POST\.body\.chip">.{0,400}<span>No further members<\/span>/);
  });

  it('ends at recursion', async () => {
    expect(await page()).toContain('<code>kittens</code> <span class="type">array of Family</span>');
  });

  it('shows the choices of an array in the query', async () => {
    const text = await page();
    expect(text).toContain('<code>kind</code> <span class="type">array of string</span>');
    expect(text).toMatch(/id="GET\.query\.kind">.{0,500}One of <code>cat<\/code>, <code>dog<\/code>/);
  });

  it('lists the errors of each status, with links to the error reference', async () => {
    expect(await page()).toMatch(/id="POST\.422".{0,400}href="\/platform\/errors#failed_validation"/);
  });
});

describe('Markdown', () => {
  it('shows lists, alternatives and flags', async () => {
    const text = await read('markdown');
    expect(text).toContain('Type: array of object.');
    expect(text).toContain('| `[].weights` | array of array of number | no |');
    expect(text).toContain('`[].animal`: at least one of, by `kind`:');
    expect(text).toMatch(/^\*\*dog\*\*: object\.$/m);
    expect(text).toContain('| `animal.tricks[].level` | integer | no |');
    expect(text).toContain('| `[].owner.id` | integer | no | Read-only. |');
    expect(text).toContain('| `family.kittens` | array of Family | yes |');
    expect(text).toContain('| `labels.*` | string |  | At least 1 character. |');
    expect(text).toContain('| `kind[]` | string |  | One of `"cat"`, `"dog"`. |');
    expect(text).toMatch(/\| `chip` \| object \| no \| No further members\. \|/);
  });
});
