/** A row as clients see it: the values of its columns by name. */
export type Entity = Record<string, unknown>;
