import { de } from '../../../../src/modules/documentation/language/de';
import { en, type MessageKey } from '../../../../src/modules/documentation/language/en';
import { ENGLISH, pageLanguage } from '../../../../src/modules/documentation/language/languages';
import { Language, type Message } from '../../../../src/modules/documentation/language/message';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { startRefusal } from '../../../factories/processes/start-refusal';

describe('a message', () => {
  const language = new Language('de', {
    list: '{name} & {number}',
    count: { one: '{count} Dienst', other: '{count} Dienste' },
  });

  it('has its arguments in place, with numbers formatted for the language', () => {
    expect(language.text('list', { name: '<A>', number: 1_234.5 })).toBe('<A> & 1.234,5');
    expect(language.text('list', {})).toBe(' & ');
  });

  it('depends on its count', () => {
    expect([0, 1, 1_219].map((count) => language.text('count', { count }))).toEqual([
      '0 Dienste',
      '1 Dienst',
      '1.219 Dienste',
    ]);
  });

  it('is escaped as HTML, except for arguments that are markup', () => {
    const markup = Object('<b>1</b>') as object;
    expect(language.html('list', { name: '<A>', number: markup })).toBe('&lt;A&gt; &amp; <b>1</b>');
    expect(language.html('list', { name: '{number}', number: 1 })).toBe('{number} &amp; 1');
    expect(language.anyOf(['<a>', markup])).toBe('&lt;a&gt; oder <b>1</b>');
  });

  it('is required to exist', () => {
    expect(() => ENGLISH.text('toString' as MessageKey)).toThrow(RangeError);
  });
});

describe('the languages', () => {
  const placeholders = (message: Message): string =>
    JSON.stringify([...new Set(JSON.stringify(message).match(/\{\w+\}/g))].sort());

  it('have the same keys and placeholders', () => {
    expect(Object.keys(de)).toEqual(Object.keys(en));
    for (const key of Object.keys(en) as MessageKey[])
      expect([key, placeholders(de[key])]).toEqual([key, placeholders(en[key])]);
  });

  it('have a text for every message', () => {
    for (const key of Object.keys(en) as MessageKey[])
      expect(pageLanguage('de').text(key, { count: 2 })).toMatch(/\S/);
  });
});

describe('pages in German', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const local = { ...sampleAuthentication, 'platform-documentation': { language: 'de' } };
    platform = await startTestPlatform({ local });
  });
  afterAll(() => platform.stop());
  const read = async (below: string): Promise<string> => {
    const headers = { accept: 'text/html' };
    const answer = await platform.request(`/platform/documentation${below}`, { headers });
    return (await answer.text()).replace(/\s+/g, ' ');
  };

  it.each([
    ['', 'Anleitungen|Operationen, Parameter, Schemas und Zugriffsregeln aller APIs'],
    ['/Atlas-v2', 'Operationen erfordern Authentifizierung'],
    ['/Atlas-v2/Visit', 'Klammern kennzeichnen optionale Teile'],
    ['/Atlas-v2?compare=1', 'Änderungen von <a href="[^"]*">Version 1</a> zu Version 2'],
    ['/Nothing', 'Meinten Sie|Alle APIs'],
  ])('are complete: %s', async (below, text) => {
    const page = await read(below);
    expect(page).toMatch(/<html lang="de">/);
    expect(page).toContain('>Zum Inhalt springen<');
    expect(page).toMatch(new RegExp(text));
  });

  it.each([
    '',
    '/Atlas-v2',
    '/Atlas-v2/Country',
    '/Atlas-v2/Visit',
    '/Atlas-v2?compare=1',
    '/Atlas?changelog',
  ])('have no English text of the message catalogue: %s', async (below) => {
    const forms = (message: Message): readonly string[] =>
      typeof message === 'string' ? [message] : [message.one, message.other];
    const german = new Set(Object.values<Message>(de).flatMap(forms));
    const english = new Set(
      Object.values<Message>(en)
        .flatMap(forms)
        .filter((text) => !german.has(text)),
    );
    const page = (await read(below)).replace(/<(script|style|pre|code)\b.*?<\/\1>/g, '');
    const texts = [
      ...page.matchAll(/>([^<>]+)</g),
      ...page.matchAll(/(?:aria-label|placeholder|title|alt|data-tabs)="([^"]*)"/g),
    ].map(([, text = '']) => text.trim());
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => english.has(text))).toEqual([]);
  });

  it('name types, constraints and access', async () => {
    const page = await read('/Atlas-v2/Visit');
    expect(page).toContain('<span>Höchstens 500 Zeichen</span>');
    expect(page).toContain('<span class="type">string oder null</span>');
    expect(page).toContain('<strong>Authentifizierung erforderlich.</strong>');
  });

  it('mark the text of errors, which is English', async () => {
    expect(await read('/Nothing')).toContain('<h1 lang="en">Not Found</h1>');
    expect(await read('/../errors')).toMatch(/<h1 lang="en">Errors<.* class="prose" lang="en"/);
    expect(await read('/../../atlas/contries')).toContain('<span class="quiet" lang="en">Country of Atlas');
  });

  it('mark the details of changes, which are English', async () => {
    expect(await read('/Atlas-v2?compare=1')).toContain('<p class="quiet" lang="en">string or null</p>');
  });

  it('leave other formats in English', async () => {
    expect(await read('/Atlas-v2/Visit?format=markdown')).toContain('At most 500 characters.');
  });
});

it('refuses to start with an unknown language, and names the known ones', async () => {
  const local = { 'platform-documentation': { language: 'fr' } };
  expect(await startRefusal({ local })).toMatch(/platform-documentation\.language[^]*"en"[^]*"de"/);
});
