import { ConfigurationError } from '../../../../../src/framework';
import { onEachDatabase } from '../../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  const types: readonly (readonly [type: string, kind: string])[] =
    dialect === 'sqlite'
      ? [['JSON', '']]
      : [
          ['jsonb', ''],
          ['text[]', ''],
          ['bytea[]', ''],
          ['json', 'VIEW'],
          ['point', 'VIEW'],
        ];

  it.each(types)('no entity is identified by a column of the type %s %s', async (type, kind) => {
    const name = `things_${type.replace(/\W/g, '_').toLowerCase()}`;
    const table = kind === 'VIEW' ? `${name}_listed` : name;
    const refused = start({
      script:
        kind === 'VIEW'
          ? `CREATE TABLE ${name} (code ${type}, name TEXT); CREATE VIEW ${table} AS SELECT * FROM ${name};`
          : `CREATE TABLE ${name} (code ${type} PRIMARY KEY, name TEXT);`,
      services: {
        Thing: {
          table_name: table,
          route: '/things[/:code]',
          route_identifier_name: 'code',
          columns: { code: {}, name: {} },
          collection: { GET: {} },
          entity: { GET: {} },
        },
      },
    });
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(
      `"code" identifies an entity, and is of the type ${type}, whose values cannot be part of a URL. Name another column that is unique, or add one.`,
    );
  });
});
