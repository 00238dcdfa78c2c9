import fc from 'fast-check';
import { setUserGroups } from '../../../../../src/modules/mvc-auth/password-files/editing/group-members';

const edit = (before: Buffer, groups: readonly string[], user = 'bob'): Buffer =>
  setUserGroups('config/htgroup', before, user, groups);

describe('an edit of a group file', () => {
  it('keeps lines and comments in another encoding than UTF-8', () => {
    const before = Buffer.from('# Größe\nstaff: alice müller\nother: bob\n', 'latin1');
    expect(edit(before, ['new', 'other'])).toEqual(Buffer.concat([before, Buffer.from('new: bob\n')]));
  });

  it('adds a user to a group in UTF-8, and not to a line that readers ignore', () => {
    const ignored = Buffer.from('größe: alice\n', 'latin1');
    expect(edit(Buffer.concat([ignored, Buffer.from('größe: alice\n')]), ['größe'], 'jürgen')).toEqual(
      Buffer.concat([ignored, Buffer.from('größe: alice jürgen\n')]),
    );
  });

  it('keeps every other line byte for byte, whatever is in the file', () => {
    const line = fc
      .uint8Array({ maxLength: 12 })
      .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10)));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const before = Buffer.concat(lines.flatMap((each) => [each, Buffer.from('\n')]));
        const added = edit(before, ['staff-of-all']);
        expect(added).toEqual(Buffer.concat([before, Buffer.from('staff-of-all: bob\n')]));
        expect(edit(added, [])).toEqual(before);
      }),
    );
  });
});
