import fc from 'fast-check';
import { statementsOf } from '../../../../src/modules/database/migrations/sql-statements';
import type { Dialect } from '../../../../src/modules/database/adapters/database-adapter';

const textsOf = (script: string, dialect: Dialect): readonly string[] =>
  statementsOf(script, dialect).map(({ text }) => text);

const TRIGGER = `CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN
  SELECT CASE WHEN 1 THEN 2 END;
  INSERT INTO b VALUES (';'); -- END;
END`;
const FUNCTION = `CREATE FUNCTION f() RETURNS int AS $body$ BEGIN; RETURN 1; END; $body$ LANGUAGE plpgsql`;
const ATOMIC = `CREATE FUNCTION g() RETURNS int BEGIN ATOMIC
  SELECT CASE WHEN true THEN 1 END; SELECT 2;
END`;
const RULE = `CREATE RULE r AS ON INSERT TO a DO ALSO (SELECT 1; SELECT 2)`;

describe('the statements of a script', () => {
  it.each<[string, Dialect, readonly string[]]>([
    ['', 'sqlite', []],
    ['-- nothing;\n/* ; */ ;', 'sqlite', []],
    [`${TRIGGER};\nSELECT 1`, 'sqlite', [TRIGGER, 'SELECT 1']],
    ["SELECT [a;b], `;`, \";\", ''';'; SELECT 2", 'sqlite', ["SELECT [a;b], `;`, \";\", ''';'", 'SELECT 2']],
    [`${FUNCTION}; ${ATOMIC}; ${RULE}; SELECT 1;`, 'postgres', [FUNCTION, ATOMIC, RULE, 'SELECT 1']],
    [
      "SELECT E'\\';', a[1]; /* /* ; */ ; */ SELECT $$;$$, $1",
      'postgres',
      ["SELECT E'\\';', a[1]", 'SELECT $$;$$, $1'],
    ],
    ["SELECT 'C:\\'; SELECT 2", 'postgres', ["SELECT 'C:\\'", 'SELECT 2']],
  ])('of %j (%s)', (script, dialect, expected) => {
    expect(textsOf(script, dialect)).toEqual(expected);
  });

  it('have the line of their first word, and their first words without comments', () => {
    expect(statementsOf('-- one\n\nselect 1;\n/* two\n*/ commit /* x */ and chain;', 'postgres')).toEqual([
      { text: 'select 1', line: 3, words: ['SELECT', '1'] },
      { text: 'commit /* x */ and chain', line: 5, words: ['COMMIT', 'AND', 'CHAIN'] },
    ]);
  });

  it.each(['sqlite', 'postgres'] as const)('follow block comments of any text (%s)', (dialect) => {
    for (const text of ['----- Tables -----', "don't", 'a "quote', '$$', '$a$', "e'\\", '*', ';'])
      expect(textsOf(`/* ${text} */ select 1; select 'a' /* ${text}*/; commit`, dialect)).toEqual([
        'select 1',
        `select 'a' /* ${text}*/`,
        'commit',
      ]);
  });

  it.each(['sqlite', 'postgres'] as const)('are found in any order and number (%s)', (dialect) => {
    const bodies =
      dialect === 'sqlite' ? [TRIGGER, "SELECT ';'", 'SELECT ";"'] : [FUNCTION, ATOMIC, RULE, "SELECT ';'"];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...bodies)),
        fc.constantFrom('', '\n-- ;\n', ' /* ; */ '),
        (all, gap) => {
          expect(textsOf(all.map((one) => `${gap}${one};`).join(gap), dialect)).toEqual(all);
        },
      ),
    );
  });

  it.each(['sqlite', 'postgres'] as const)('are found in any text, without an error (%s)', (dialect) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab;\'"$/*-[]`\n()E ')) }), (script) => {
        const found = statementsOf(script, dialect);
        for (const { text, line } of found)
          expect(
            script
              .split('\n')
              .slice(line - 1)
              .join('\n'),
          ).toContain(text);
      }),
    );
  });
});
