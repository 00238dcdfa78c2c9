import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_FILE, LocalConfiguration, type ConfigEdit } from '../../../../../src/framework';
import { Revisions } from '../../../../../src/modules/admin/actions/revisions/revisions';
import type { Actor, Change } from '../../../../../src/modules/admin/changes/change';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { startTestPlatform } from '../../../../factories/platform';
import { rejectionOf } from '../../../../factories/rejection';
import { reusedPlatform } from '../../../../factories/reused-platform';

const ADA: Actor = { name: 'ada', via: 'page' };
const HEADERS = ['platform-operations', 'security_headers'];

let changes: ConfigurationChanges;
let revisions: Revisions;
const { platform } = reusedPlatform(startTestPlatform);
beforeEach(() => {
  const local = new LocalConfiguration(platform.root);
  changes = new ConfigurationChanges(platform.host, local);
  revisions = new Revisions(changes, local);
});

const file = (): string => path.join(platform.root, LOCAL_FILE);
const text = (): string => readFileSync(file(), 'utf8');
const edit = (key: string, value: string): ConfigEdit => ({ path: [...HEADERS, key], value });
const apply = (...edits: readonly ConfigEdit[]): Promise<unknown> => {
  const change: Change = { summary: `Changed ${edits.length}`, subject: HEADERS, edits };
  return changes.apply(change, ADA);
};
const effective = (key: string): unknown => changes.configuration.valueAt([...HEADERS, key]);

describe('The list of revisions', () => {
  it('is sorted newest first and shows author and origin', async () => {
    await apply(edit('X-One', '1'));
    await changes.apply(
      { summary: 'By the other.', subject: HEADERS, edits: [edit('X-Two', '2')] },
      { name: 'bob', via: 'api' },
    );
    expect(await revisions.list()).toMatchObject([
      { number: 2, by: 'bob', via: 'api', summary: 'By the other.', isCurrent: true },
      { number: 1, by: 'ada', via: 'page', isCurrent: false },
    ]);
  });

  it('marks manual edits', async () => {
    await apply(edit('X-One', '1'));
    expect(await revisions.byHand()).toBeUndefined();
    writeFileSync(file(), text().replace('"1"', '"2"'));
    expect((await revisions.byHand())?.difference).toEqual([
      { path: `${HEADERS.join('.')}.X-One`, before: '"1"', after: '"2"' },
    ]);
    expect((await revisions.list()).some(({ isCurrent }) => isCurrent)).toBe(false);
    await apply(edit('X-Three', '3'));
    const [, byHand] = await revisions.list();
    expect(byHand).toMatchObject({ via: 'hand', by: undefined });
    expect(await revisions.byHand()).toBeUndefined();
  });
});

describe('A revision', () => {
  it('shows its changes by key and by line', async () => {
    await apply(edit('X-One', '1'));
    await apply(edit('X-One', '2'));
    const { difference, lines, isNewest } = await revisions.get(2);
    expect(isNewest).toBe(true);
    expect(difference).toEqual([{ path: `${HEADERS.join('.')}.X-One`, before: '"1"', after: '"2"' }]);
    const changed = (lines ?? []).filter(({ kind }) => kind === 'before' || kind === 'after');
    expect(changed.map(({ kind, text: line }) => [kind, line.trim()])).toEqual([
      ['before', '"X-One": "1"'],
      ['after', '"X-One": "2"'],
    ]);
  });

  it('masks secrets in keys and lines', async () => {
    await apply(edit('X-One', '1'));
    writeFileSync(file(), text().replace('{', '{ "platform-hosting": { "password": "hidden" },'));
    const shown = JSON.stringify(await revisions.byHand());
    expect(shown).not.toContain('hidden');
    expect(shown).toContain('••••••');
  });

  it('does not show the text of a file that was not valid JSON', async () => {
    await apply(edit('X-One', '1'));
    writeFileSync(file(), '{ "password": "hidden"');
    const byHand = await revisions.byHand();
    expect(byHand?.lines).toBeUndefined();
    expect(JSON.stringify(byHand)).not.toContain('hidden');
  });

  it('is not found under an unknown number', async () => {
    await apply(edit('X-One', '1'));
    expect((await rejectionOf(() => revisions.get(9))).status).toBe(404);
    expect((await rejectionOf(() => revisions.prepareUndo(9))).status).toBe(404);
    expect((await rejectionOf(() => revisions.prepareRestore(9))).status).toBe(404);
  });
});

describe('The revisions after one', () => {
  it('are those that changed its values, without one that a change deletes meanwhile', async () => {
    for (const value of ['1', '2', '3']) await apply(edit('X-One', value));
    const folder = path.join(platform.root, 'data/revisions');
    const local = new LocalConfiguration(platform.root);
    const later = new Revisions(new ConfigurationChanges(platform.host, local), local);
    jest.spyOn(local, 'revision').mockImplementationOnce(async (number) => {
      const revision = await local.revision(number);
      rmSync(path.join(folder, '000002.json'));
      return revision;
    });
    expect((await later.later(1)).map(({ number }) => number)).toEqual([3]);
  });
});

describe('Undoing', () => {
  it('the newest revision restores the file byte for byte, and can be undone itself', async () => {
    writeFileSync(file(), '{ "platform-operations":\n\n {"access_log": {"enabled":false } } }');
    const before = text();
    await apply(edit('X-One', '1'));
    const after = text();
    await changes.apply(await revisions.prepareUndo(1), ADA);
    expect(text()).toBe(before);
    expect(effective('X-One')).toBeUndefined();
    await changes.apply(await revisions.prepareUndo(2), ADA);
    expect(text()).toBe(after);
    expect(effective('X-One')).toBe('1');
  });

  it('an earlier revision keeps later changes', async () => {
    await apply(edit('X-One', '1'));
    await apply(edit('X-Two', '2'));
    await changes.apply(await revisions.prepareUndo(1), ADA);
    expect([effective('X-One'), effective('X-Two')]).toEqual([undefined, '2']);
  });

  it('an undo restores parts of objects that other layers define, too', async () => {
    await apply(edit('X-One', '1'));
    const other = ['view_manager', 'display_exceptions'];
    await apply({ path: other, value: true });
    await changes.apply(await revisions.prepareUndo(1), ADA);
    await apply({ path: other, value: false });
    expect(effective('X-One')).toBeUndefined();
    await changes.apply(await revisions.prepareUndo(3), ADA);
    expect(effective('X-One')).toBe('1');
  });

  it('keeps later manual edits', async () => {
    await apply(edit('X-One', '1'));
    writeFileSync(file(), text().replace('"X-One"', '"X-Hand": "yes", "X-One"'));
    await changes.apply(await revisions.prepareUndo(1), ADA);
    expect([effective('X-One'), effective('X-Hand')]).toEqual([undefined, 'yes']);
  });

  it.each([
    ['the newest revision', 1],
    ['an earlier revision', 2],
  ])('%s keeps a change that is made while it is prepared', async (_, count) => {
    for (const key of ['X-One', 'X-Two'].slice(0, count)) await apply(edit(key, '1'));
    const undo = await revisions.prepareUndo(1);
    await apply(edit('X-Three', '3'));
    await changes.apply(undo, ADA);
    expect([effective('X-One'), effective('X-Three')]).toEqual([undefined, '3']);
  });

  it.each([
    ['the newest revision', 1],
    ['an earlier revision', 2],
  ])('%s is rejected if its value changes while it is prepared', async (_, count) => {
    for (const key of ['X-One', 'X-Two'].slice(0, count)) await apply(edit(key, '1'));
    const undo = await revisions.prepareUndo(1);
    await apply(edit('X-One', '2'));
    expect((await rejectionOf(() => changes.apply(undo, ADA))).status).toBe(409);
    expect(effective('X-One')).toBe('2');
  });

  it('is rejected with the key path if its value has changed since', async () => {
    await apply(edit('X-One', '1'));
    await apply(edit('X-One', '2'));
    const problem = await rejectionOf(() => revisions.prepareUndo(1));
    expect(problem.status).toBe(409);
    expect(problem.detail).toContain(`${HEADERS.join('.')}.X-One has changed since.`);
  });

  it('names several conflicting key paths in a grammatical sentence', async () => {
    await apply(edit('X-One', '1'), edit('X-Two', '1'));
    await apply(edit('X-One', '2'), edit('X-Two', '2'));
    const [one, two] = ['X-One', 'X-Two'].map((key) => `${HEADERS.join('.')}.${key}`);
    const { detail } = await rejectionOf(() => revisions.prepareUndo(1));
    expect(detail).toContain(`${one}, ${two} have changed since.`);
  });
});

describe('Restoring', () => {
  it('restores the file as it was after or before a revision', async () => {
    await apply(edit('X-One', '1'));
    const first = text();
    await apply(edit('X-Two', '2'));
    await apply(edit('X-Three', '3'));
    await changes.apply(await revisions.prepareRestore(1), ADA);
    expect(text()).toBe(first);
    expect([effective('X-One'), effective('X-Two')]).toEqual(['1', undefined]);
    expect((await revisions.list())[0]?.summary).toBe('Restored the state after revision 1: Changed 1');
    await changes.apply(await revisions.prepareRestore(1, 'before'), ADA);
    expect(effective('X-One')).toBeUndefined();
  });

  it('is rejected with the reason if the configuration would be invalid', async () => {
    await apply(edit('X-One', '1'));
    writeFileSync(file(), '{ "platform-hosting": { "apis": { "Atlas": { "colour": "red" } } } }');
    await rejectionOf(() => apply(edit('X-Two', '2')));
    const before = text();
    const problem = await rejectionOf(async () =>
      changes.apply({ summary: 'Kept as it is', text: before }, ADA),
    );
    expect(problem.status).toBe(422);
    expect(problem.detail).toContain('colour');
    // A restoration repairs the invalid file.
    await changes.apply(await revisions.prepareRestore(1), ADA);
    expect(effective('X-One')).toBe('1');
  });
});
