/** An instruction of a compiled statement, as `EXPLAIN` lists it. */
export interface Instruction {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
}

/** What a statement walks through without a bound. */
export interface StatementWalks {
  /** Root pages of the tables and indexes of which any number of rows may be read. */
  readonly rootPages: readonly number[];
  /** Whether its work is unknown: it reads a virtual table, such as a full-text index, or is recursive. */
  readonly isUnknown: boolean;
}

/** A loop: instructions from its start to the one that advances the cursor and jumps back. */
interface Loop {
  readonly cursor: number;
  readonly start: number;
  readonly end: number;
}

const ADVANCING = new Set(['Next', 'Prev', 'VNext']);

const LOOKUPS = new Set(['SeekRowid', 'NotExists', 'SeekGE', 'SeekLE', 'IdxGT', 'IdxLT', 'NotFound']);

/** Row values as a bound of an index, such as `((price,rowid)>(?,?))`: SQLite checks the first row again. */
const ROW_VALUE_BOUND = /\(\([^()]+\)[<>]=?\([?,]+\)\)/;

/**
 * Finds the loops of a statement that have no bound: all but those that end after `LIMIT` rows and skip none, and
 * those over temporary tables, which are as large as what fills them. Lookups by a unique key have no loop.
 *
 * @param instructions of `EXPLAIN`: the program of the statement, then those of its triggers
 * @param details of `EXPLAIN QUERY PLAN`
 */
export function unboundedWalks(
  instructions: readonly Instruction[],
  details: readonly string[],
): StatementWalks {
  const hasRowValueBound = details.some((detail) => ROW_VALUE_BOUND.test(detail));
  const walks = programsOf(instructions).map((program) => walksOf(program, hasRowValueBound));
  return {
    rootPages: walks.flatMap(({ rootPages }) => rootPages),
    isUnknown: walks.some(({ isUnknown }) => isUnknown) || details.includes('RECURSIVE STEP'),
  };
}

function programsOf(instructions: readonly Instruction[]): readonly (readonly Instruction[])[] {
  const programs: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.addr === 0) programs.push([]);
    programs.at(-1)?.push(instruction);
  }
  return programs;
}

function walksOf(program: readonly Instruction[], hasRowValueBound: boolean): StatementWalks {
  const rootPageOf = new Map<number, number>();
  for (const { opcode, p1, p2 } of program)
    if (opcode === 'OpenRead' || opcode === 'OpenWrite' || opcode === 'ReopenIdx') rootPageOf.set(p1, p2);
  const loops = program
    .filter(({ opcode }) => ADVANCING.has(opcode))
    .map(({ addr, p1, p2 }): Loop => ({ cursor: p1, start: p2, end: addr }))
    .filter((loop) => !isSkipped(program, loop) && !isBounded(program, loop, hasRowValueBound));
  const counted = program.filter(({ opcode }) => opcode === 'Count').map(({ p1 }) => p1);
  const cursors = [...loops.map(({ cursor }) => cursor), ...counted];
  return {
    // Cursors without a root page are temporary tables.
    rootPages: cursors.flatMap((cursor) => rootPageOf.get(cursor) ?? []),
    isUnknown: program.some(({ opcode }) => opcode === 'VOpen'),
  };
}

/** Whether a loop runs only while deferred foreign keys are violated. */
function isSkipped(program: readonly Instruction[], { end }: Loop): boolean {
  return program.some(({ opcode, addr, p2 }) => opcode === 'FkIfZero' && addr < end && end < p2);
}

function isBounded(program: readonly Instruction[], loop: Loop, hasRowValueBound: boolean): boolean {
  // An OFFSET passes over any number of rows.
  if (program.some(({ opcode }) => opcode === 'OffsetLimit')) return false;
  const body = program.filter(({ addr }) => addr >= loop.start && addr < loop.end);
  const lastInner = Math.max(
    -1,
    ...body.filter(({ opcode }) => ADVANCING.has(opcode)).map(({ addr }) => addr),
  );
  // The countdown of a LIMIT, in this loop and not in one inside it, which may find no row.
  const limit = body.find(
    ({ opcode, addr, p2 }) => opcode === 'DecrJumpZero' && addr > lastInner && p2 > loop.end,
  );
  if (limit === undefined) return false;
  const skips = body.filter(
    (instruction) =>
      instruction.addr < limit.addr &&
      instruction.p2 > limit.addr &&
      instruction.p2 <= loop.end &&
      !isOuterJoin(program, instruction),
  );
  return skips.length <= (hasRowValueBound ? 1 : 0);
}

/** Whether a lookup continues with NULLs if it finds nothing. */
function isOuterJoin(program: readonly Instruction[], { opcode, p2 }: Instruction): boolean {
  return LOOKUPS.has(opcode) && program[p2]?.opcode === 'IfPos' && program[p2 + 1]?.opcode === 'NullRow';
}
