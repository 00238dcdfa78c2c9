import { onEachDatabase } from '../../../factories/database/table-databases';
import type { ConfigObject } from '../../../../src/framework';

const service = (table: string, filters: readonly string[]): ConfigObject => ({
  table_name: table,
  route: `/${table}[/:id]`,
  route_identifier_name: 'id',
  entity_identifier_name: 'id',
  columns: Object.fromEntries(['id', ...filters].map((name) => [name, {}])),
  filters: Object.fromEntries(filters.map((name) => [name, ['eq']])),
  collection: { GET: {} },
});

onEachDatabase(({ it, dialect, start }) => {
  const warningsOf = async (
    script: string,
    services: Readonly<Record<string, ConfigObject>>,
  ): Promise<readonly string[]> => {
    const { application } = await start({ script, services });
    return application.warnings.filter((text) => text.includes('index'));
  };

  it('the index of an expression of a view serves a filter', async () => {
    const functions =
      dialect === 'sqlite'
        ? ''
        : `CREATE SCHEMA tools;
          CREATE FUNCTION tools.code(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN left($1, 2); END';`;
    const code = dialect === 'sqlite' ? 'upper' : 'tools.code';
    const warnings = await warningsOf(
      `${functions}
      CREATE TABLE documents (id INTEGER PRIMARY KEY, content ${dialect === 'sqlite' ? 'TEXT' : 'JSONB'}, name TEXT);
      CREATE INDEX documents_kind ON documents ((content ->> 'a.kind'));
      CREATE INDEX documents_code ON documents (${code}(name));
      CREATE VIEW contents AS SELECT id, content ->> 'a.kind' AS kind, content ->> 'town' AS town, ${code}(name) AS code FROM documents;`,
      { Content: service('contents', ['kind', 'town', 'code']) },
    );
    expect(warnings).toEqual([
      'The service Content of Tables-v1: no index serves the filter "town.eq" (create one on the tables of the view).',
    ]);
  });

  it('an index that begins with a column that has the name of a type serves no filter of another', async () => {
    const warnings = await warningsOf(
      `CREATE TABLE texts (id INTEGER PRIMARY KEY, text VARCHAR(9), author VARCHAR(9));
      CREATE INDEX texts_text ON texts (text, author);`,
      { Text: service('texts', ['text', 'author']) },
    );
    expect(warnings).toEqual([
      'The service Text of Tables-v1: no index serves the filter "author.eq" (create one that begins with "author").',
    ]);
  });

  it('an index that a join reads for each row of another table serves no filter', async () => {
    const warnings = await warningsOf(
      `CREATE TABLE buyers (id INTEGER, name VARCHAR(9), town VARCHAR(9), PRIMARY KEY (id, name));
      CREATE INDEX buyers_town ON buyers (town);
      CREATE TABLE purchases (id INTEGER PRIMARY KEY, buyer INTEGER NOT NULL);
      CREATE VIEW bought AS SELECT purchases.id, name, town FROM purchases JOIN buyers ON buyers.id = buyer;`,
      { Bought: service('bought', ['name', 'town']) },
    );
    expect(warnings).toEqual([
      'The service Bought of Tables-v1: no index serves the filter "name.eq" (create one on the tables of the view); the filter "town.eq" (create one on the tables of the view).',
    ]);
  });

  it('what a view requires to exist in another table needs no index for a filter', async () => {
    const warnings = await warningsOf(
      `CREATE TABLE marks (name VARCHAR(9));
      CREATE TABLE pages (id INTEGER PRIMARY KEY, town VARCHAR(9), kind VARCHAR(9), mark VARCHAR(9));
      CREATE INDEX pages_town ON pages (town);
      CREATE VIEW marked AS SELECT id, town, kind FROM pages WHERE EXISTS (SELECT 1 FROM marks WHERE name = mark);`,
      { Marked: service('marked', ['town', 'kind']) },
    );
    expect(warnings).toEqual([
      'The service Marked of Tables-v1: no index serves the filter "kind.eq" (create one on the tables of the view).',
    ]);
  });

  if (dialect === 'postgres')
    it('the indexes of partitions serve filters and orders, also of the key of the partitions', async () => {
      const warnings = await warningsOf(
        `CREATE TABLE visits (id INTEGER PRIMARY KEY, place VARCHAR(9), note VARCHAR(9)) PARTITION BY RANGE (id);
        CREATE TABLE visits_0 PARTITION OF visits FOR VALUES FROM (0) TO (100);
        CREATE TABLE visits_1 PARTITION OF visits FOR VALUES FROM (100) TO (200);
        CREATE INDEX visits_place ON visits (place, id);`,
        {
          Visit: {
            ...service('visits', ['place', 'note']),
            filters: { id: ['eq', 'gt'], place: ['eq'], note: ['eq'] },
            collection: { GET: { sort: ['id', 'place', 'note'] } },
          },
        },
      );
      expect(warnings).toEqual([
        'The service Visit of Tables-v1: no index serves the filter "note.eq" and the order by "note" (create one on ("note", "id")).',
      ]);
    });
});
