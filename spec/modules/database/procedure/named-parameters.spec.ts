import { parseNamedParameters } from '../../../../src/modules/database/procedure/named-parameters';

const SQL = "select ':a', :b + :a from t -- :c\nwhere x = :a";

describe('the parameters of a statement', () => {
  it('have numbers in PostgreSQL', () => {
    const { text, names, places } = parseNamedParameters(SQL, 'postgres', 'sql');
    expect(text).toBe("select ':a', $1 + $2 from t -- :c\nwhere x = $2");
    expect(names).toEqual(['b', 'a']);
    expect(places).toBeUndefined();
  });

  // `node:sqlite` refuses `?1` before 22.20 and 24.7: column index out of range.
  it('have no numbers in SQLite, but the places of their values', () => {
    const statement = parseNamedParameters(SQL, 'sqlite', 'sql');
    expect(statement.text).toBe("select ':a', ? + ? from t -- :c\nwhere x = ?");
    expect(statement.withReals(['a'])).toBe(
      "select ':a', ? + cast(? as real) from t -- :c\nwhere x = cast(? as real)",
    );
    expect(statement.names).toEqual(['b', 'a']);
    expect(statement.places).toEqual([0, 1, 1]);
  });
});
