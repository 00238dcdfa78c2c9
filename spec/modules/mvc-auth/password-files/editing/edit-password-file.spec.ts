import fc from 'fast-check';
import { editPasswordFile } from '../../../../../src/modules/mvc-auth/password-files/editing/edit-password-file';

const edit = (text: string, lines: readonly string[], name = 'bob'): string =>
  editPasswordFile(Buffer.from(text), {
    owns: (line) => line.startsWith(`${name}:`),
    lines,
  }).bytes.toString();

describe('an edit of a password file', () => {
  it.each([
    ['into an empty file', '', 'bob:new\n'],
    ['at the end', 'amy:1\n', 'amy:1\nbob:new\n'],
    ['after a last line without end', 'amy:1', 'amy:1\nbob:new\n'],
    ['replacing the old one', '# x\nbob:old\n\namy:1', '# x\nbob:new\n\namy:1'],
    ['replacing several', 'bob:1\namy:1\nbob:2', 'bob:new\namy:1\n'],
    ['with the line endings of the file', 'amy:1\r\nbob:old\r\n', 'amy:1\r\nbob:new\r\n'],
    ['next to a comment that resembles it', '#bob:old\n', '#bob:old\nbob:new\n'],
    ['with surrounding whitespace', '  bob:old \n', 'bob:new\n'],
    ['and not for a user with a similar name', 'bobby:1\n', 'bobby:1\nbob:new\n'],
  ])('writes a line %s', (_, before, after) => {
    expect(edit(before, ['bob:new'])).toBe(after);
  });

  it('removes lines, and returns how many', () => {
    const bytes = Buffer.from('bob:1\n# bob:2\namy:1\nbob:3');
    const edited = editPasswordFile(bytes, { owns: (line) => line.startsWith('bob:'), lines: [] });
    expect(edited.bytes.toString()).toBe('# bob:2\namy:1\n');
    expect(edited.replaced).toBe(2);
  });

  it('matches names in UTF-8', () => {
    expect(edit('böb:1\namy:2\n', ['böb:2'], 'böb')).toBe('böb:2\namy:2\n');
  });

  it('keeps every other line byte for byte, whatever is in the file', () => {
    const line = fc
      .uint8Array({ maxLength: 12 })
      .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)));
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), (lines, ends) => {
        const text = lines.map((each) => each.toString('latin1')).join('\n') + (ends ? '\n' : '');
        const before = Buffer.from(text, 'latin1');
        const owns = (each: string): boolean => each.startsWith('bob:');
        const added = editPasswordFile(before, { owns, lines: ['bob:1'] });
        expect(added.bytes.subarray(0, before.length).equals(before)).toBe(true);
        expect(/bob:1\r?\n$/.test(added.bytes.toString('latin1')) || text.startsWith('bob')).toBe(true);
        const removed = editPasswordFile(added.bytes, { owns, lines: [] });
        expect(removed.bytes.subarray(0, before.length).equals(before)).toBe(true);
        expect(editPasswordFile(before, { owns: () => false, lines: [] }).bytes.equals(before)).toBe(true);
      }),
    );
  });
});
