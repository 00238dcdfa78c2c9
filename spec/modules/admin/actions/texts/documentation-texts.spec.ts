import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE, LocalConfiguration } from '../../../../../src/framework';
import {
  DocumentationTexts,
  textsOf,
  type EditableText,
} from '../../../../../src/modules/admin/actions/texts/documentation-texts';
import type { Actor } from '../../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { Type } from '@sinclair/typebox';
import { defineApi, defineRestService } from '../../../../../src/modules/hosting';
import { startTestPlatform } from '../../../../factories/platform';
import { rejectionOf } from '../../../../factories/rejection';
import { reusedPlatform } from '../../../../factories/reused-platform';

const ADA: Actor = { name: 'ada', via: 'command' };
const COUNTRY = '/versions/1/services/Country';
const FORMATS = ['application/json', 'text/html', 'application/vnd.apidesc+json'];

let changes: ConfigurationChanges;
let texts: DocumentationTexts;
const { platform } = reusedPlatform(startTestPlatform);
beforeEach(() => {
  changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  texts = new DocumentationTexts(changes);
});

const change = async (newTexts: Readonly<Record<string, string>>): Promise<unknown> =>
  changes.apply(await texts.prepareChange('Atlas', 1, new Map(Object.entries(newTexts))), ADA);
const text = async (key: string): Promise<EditableText> => {
  const found = textsOf(await texts.get('Atlas', 1)).find((one) => one.key === key);
  if (found === undefined) throw new Error(`No text ${key}.`);
  return found;
};
const written = (): unknown => {
  const local: unknown = JSON.parse(readFileSync(path.join(platform.root, LOCAL_FILE), 'utf8'));
  return (local as Record<string, unknown>)['platform-hosting'];
};
const documentation = async (accept: string, service: string): Promise<string> =>
  (await platform.request(`/platform/documentation/Atlas-v1${service}`, { headers: { accept } })).text();

describe('The texts of an API', () => {
  it('cover the API, services, parameters, operations and fields, with their sources', async () => {
    expect(await text('/description')).toMatchObject({
      kind: 'api',
      source: 'the module "atlas"',
      isConfigured: false,
    });
    expect(await text(`${COUNTRY}/description`)).toMatchObject({
      kind: 'service',
      text: 'The countries of the world: read only, for everyone.',
    });
    expect(await text(`${COUNTRY}/collection/GET/response_description`)).toMatchObject({ kind: 'response' });
    expect(await text(`${COUNTRY}/parameters/country_code/description`)).toMatchObject({
      kind: 'parameter',
      name: 'country_code',
    });
    expect(await text(`${COUNTRY}/columns/capital/description`)).toMatchObject({
      kind: 'field',
      name: 'capital',
    });
    expect(await text('/versions/1/services/Distance/methods/GET/description')).toMatchObject({
      kind: 'operation',
    });
  });

  it('can be edited, and appear in JSON, HTML and OpenAPI', async () => {
    const keys = [
      '/description',
      `${COUNTRY}/description`,
      `${COUNTRY}/entity/GET/description`,
      '/versions/1/services/Visit/collection/POST/request_description',
      `${COUNTRY}/collection/GET/response_description`,
      `${COUNTRY}/sql_filters/region/description`,
      `${COUNTRY}/parameters/country_code/description`,
      `${COUNTRY}/columns/capital/description`,
      // Of what is sent, and of what a procedure answers.
      '/versions/1/services/Visit/columns/note/description',
      '/versions/1/services/Distance/methods/GET/response/properties/kilometres/description',
    ];
    const before = await Promise.all(keys.map(async (key) => (await text(key)).text));
    const wording = (key: string): string => `Another *wording* ${keys.indexOf(key)}.`;
    await change(Object.fromEntries(keys.map((key) => [key, wording(key)])));
    for (const [at, key] of keys.entries()) {
      const service = key.split('/')[4];
      expect(await text(key)).toMatchObject({ text: wording(key), isConfigured: true });
      // The JSON of a service contains neither route parameters nor response fields.
      for (const format of FORMATS.slice(/\/(parameters|response)\//.test(key) ? 1 : 0)) {
        const shown = await documentation(format, service === undefined ? '' : `/${service}`);
        expect(shown.replaceAll(/<\/?em>/g, '*')).toContain(wording(key));
        if (before[at] !== '') expect(shown).not.toContain(JSON.stringify(before[at]).slice(1, -1));
      }
    }
  });

  it('are written at the key paths of the API if they have changed', async () => {
    const same = (await text(`${COUNTRY}/description`)).text;
    await change({ '/description': 'One.\r\n\r\nTwo.', [`${COUNTRY}/description`]: same });
    expect(written()).toEqual({ apis: { Atlas: { description: 'One.\n\nTwo.' } } });
  });

  it('of a field in request and response are one text, written at both paths', async () => {
    const member = { note: Type.String({ description: 'A note.' }) };
    const Note = defineRestService({
      route: '/notes[/:id]',
      route_identifier_name: 'id',
      fields: Type.Object({ id: Type.String(), ...member }),
      input: Type.Object(member),
      resource: { create: () => ({ id: '1', note: '' }) },
    });
    const notes = defineApi({ name: 'Notes', versions: { 1: { services: { Note } } } });
    const own = await startTestPlatform({ extra: [{ name: 'notes', requires: ['hosting'], apis: [notes] }] });
    try {
      const edits = new ConfigurationChanges(own.host, new LocalConfiguration(own.root));
      const ofNotes = new DocumentationTexts(edits);
      const key = '/versions/1/services/Note/fields/properties/note/description';
      const note = async () => textsOf(await ofNotes.get('Notes', 1)).find((one) => one.key === key);
      const before = await note();
      expect(before?.paths.map((one) => one[4])).toEqual(['fields', 'input']);
      await edits.apply(await ofNotes.prepareChange('Notes', 1, new Map([[key, 'What you say.']])), ADA);
      const again = await note();
      expect([again?.text, again?.paths]).toEqual(['What you say.', before?.paths]);
    } finally {
      await own.stop();
    }
  });

  it('are removed from the file when emptied, which restores the text from the code', async () => {
    const before = (await text('/description')).text;
    await change({ '/description': 'Mine.' });
    expect(await text('/description')).toMatchObject({ text: 'Mine.', declaredText: before });
    await change({ '/description': '' });
    expect(written()).toEqual({ apis: { Atlas: {} } });
    expect((await text('/description')).text).toBe(before);
  });

  it('are removed from the file when equal to the text from the code', async () => {
    const before = (await text('/description')).text;
    await change({ '/description': 'Mine.' });
    await change({ '/description': before });
    expect(await text('/description')).toMatchObject({ text: before, isConfigured: false });
  });

  it('from the code cannot be emptied; control characters, unknown keys and long texts are rejected', async () => {
    const wrong = {
      '/description': '',
      [`${COUNTRY}/description`]: 'a\0b',
      '/versions/1/services/Nope/description': 'x',
      '/__proto__/x': 'x',
      [`${COUNTRY}/entity/GET/description`]: 'x'.repeat(20_001),
    };
    const problem = await rejectionOf(() => texts.prepareChange('Atlas', 1, new Map(Object.entries(wrong))));
    expect([problem.status, problem.extensions.errors]).toEqual([
      422,
      [
        {
          pointer: '/description',
          message: 'This text is declared in code. You can override it, but not remove it.',
        },
        { pointer: `${COUNTRY}/description`, message: 'The text contains control characters. Remove them.' },
        { pointer: '/versions/1/services/Nope/description', message: 'Unknown text.' },
        { pointer: '/__proto__/x', message: 'Unknown text.' },
        {
          pointer: `${COUNTRY}/entity/GET/description`,
          message: 'Use at most 20000 characters; this text has 20001.',
        },
      ],
    ]);
  });
});
