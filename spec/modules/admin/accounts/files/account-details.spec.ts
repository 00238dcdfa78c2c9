import fc from 'fast-check';
import { namedPaths } from '../../../../../src/modules/cluster/nodes/shared-documents';
import {
  accountFileOf,
  AccountFileError,
  readAccounts,
  writeAccounts,
  roleIn,
  type AccountDetails,
  type AccountTable,
} from '../../../../../src/modules/admin/accounts/files/account-details';
import { ADMIN_ROLES } from '../../../../../src/modules/admin/accounts/roles';

const details: fc.Arbitrary<AccountDetails> = fc.record(
  {
    role: fc.constantFrom(...ADMIN_ROLES),
    second_factor: fc.record({
      secret: fc.string({
        unit: fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')),
        minLength: 26,
        maxLength: 64,
      }),
      recovery_codes: fc.array(
        fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: 64, maxLength: 64 }),
      ),
    }),
  },
  { requiredKeys: ['role'] },
);
/** Of a file that exists. */
function accountsIn(text: string): AccountTable {
  return readAccounts(text) ?? new Map();
}

const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'));

describe('The details of administrators', () => {
  it('are read as they were written, for every name', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, details)), (entries) => {
        let text = '{}';
        const expected = new Map<string, AccountDetails>();
        for (const [name, one] of entries) {
          text = writeAccounts(accountsIn(text), name, one);
          expected.set(name, one);
        }
        expect(new Map([...accountsIn(text)].sort(byName))).toEqual(new Map([...expected].sort(byName)));
      }),
    );
  });

  it('are details or an AccountFileError, for every text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          for (const { role } of accountsIn(text).values()) expect(ADMIN_ROLES).toContain(role);
        } catch (error) {
          expect(error).toBeInstanceOf(AccountFileError);
        }
      }),
    );
  });

  it.each([
    ['', 'is not valid JSON'],
    ['{"bob": {}}', 'has no role for "bob"'],
    ['[]', 'is not an object'],
    ['{', 'is not valid JSON'],
    ['{"bob": "viewer"}', 'has no object for "bob"'],
    ['{"bob": {"role": "owner"}}', 'Available: viewer, editor, administrator'],
    ['{"bob": {"rolle": "viewer"}}', 'Did you mean "role"?'],
    ['{"bob": {"role": "viewer", "second_factor": {"secret": "short"}}}', 'no valid secret for "bob"'],
    ['{"bob": {"role": "viewer", "second_factor": true}}', 'not an object'],
  ])('are refused with the reason: %s', (text, reason) => {
    expect(() => readAccounts(text)).toThrow(reason);
  });

  it('give full permissions only where there is no file, and to those that it says have them', () => {
    expect(roleIn(readAccounts(undefined), 'bob')).toBe('administrator');
    expect(roleIn(readAccounts('{}'), 'bob')).toBe('viewer');
    expect(roleIn(readAccounts('{ "ada": { "role": "administrator" } }'), 'ada')).toBe('administrator');
  });

  it('are in a file that the nodes of a deployment share', () => {
    for (const file of ['data/administrators.htpasswd', 'data/people', 'a.json']) {
      const shared = namedPaths('/project', (path) => (path[0] === 'platform-admin' ? file : undefined));
      expect(shared).toEqual([file, accountFileOf(file)]);
    }
  });
});

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
