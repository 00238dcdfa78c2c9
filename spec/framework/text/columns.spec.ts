import { formatColumns } from '../../../src/framework/text/columns';

describe('Rows in columns', () => {
  it('are as wide as the longest cell, and do not end with spaces', () => {
    const text = formatColumns(
      ['KEY', 'OWNER'],
      [
        ['a', 'amy'],
        ['longer', ''],
      ],
    );
    expect(text).toBe('KEY     OWNER\na       amy\nlonger\n');
  });

  it('can be more than a call has arguments', () => {
    const rows = Array.from({ length: 200_000 }, () => ['a']);
    expect(formatColumns(['KEY'], rows)).toHaveLength('KEY\n'.length + 200_000 * 'a\n'.length);
  });
});
