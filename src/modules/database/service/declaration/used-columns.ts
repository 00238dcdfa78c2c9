import type { Table, TableEmbed } from '../../table/table';

interface UsedColumn {
  readonly table: string;
  readonly column: string;
}

/** The columns of the statements of a service, those of embedded rows included. */
export function usedColumns({ name, columns, rows, embeds }: Table): readonly UsedColumn[] {
  const own = [...columns, ...rows.map(({ column }) => column)];
  return [
    ...of(
      name,
      own.map((column) => column.name),
    ),
    ...embeds.flatMap(embeddedColumns),
  ];
}

function embeddedColumns(embed: TableEmbed): readonly UsedColumn[] {
  const { target } = embed;
  const selected = of(
    target,
    embed.columns.map((column) => column.name),
  );
  if (embed.kind === 'entity') return [...selected, ...of(target, [embed.reference])];
  const { through, foreignKey, sort, rows } = embed;
  const further = of(
    target,
    [...sort, ...rows].map(({ column }) => column.name),
  );
  const joining =
    through === undefined
      ? of(target, [foreignKey])
      : [...of(target, [through.reference]), ...of(through.name, [foreignKey, through.foreignKey])];
  return [...selected, ...further, ...joining];
}

function of(table: string, columns: readonly string[]): readonly UsedColumn[] {
  return columns.map((column) => ({ table, column }));
}
