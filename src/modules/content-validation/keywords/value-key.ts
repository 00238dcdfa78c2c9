import { isList, isObject } from '../../../framework';
import { UploadedFile } from '../../content-negotiation';

/**
 * Returns the same key of a Map or Set for values that are equal by JSON Schema. Takes the time of writing the value.
 * @param files the number of each file of the values that are compared: a file is equal to itself only
 */
export function valueKey(value: unknown, files = new Map<UploadedFile, number>()): unknown {
  // Scalars are equal to themselves only, and no string is equal to the text of a structure.
  return typeof value === 'string' ? `"${value}` : structureText(value, files);
}

/** Writes an object or a list so that equal ones have the same text: members in the order of their names. */
function structureText(value: unknown, files: Map<UploadedFile, number>): unknown {
  const memberText = (member: unknown): string =>
    typeof member === 'string' ? JSON.stringify(member) : String(structureText(member, files));
  if (isList(value)) return `[${value.map(memberText).join()}]`;
  if (value instanceof UploadedFile) return `file ${numberOf(value, files)}`;
  if (!isObject(value)) return value;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${memberText(value[name])}`).join()}}`;
}

function numberOf(file: UploadedFile, files: Map<UploadedFile, number>): number {
  const number = files.get(file) ?? files.size;
  files.set(file, number);
  return number;
}

/** Whether a value is one that `===` compares as JSON Schema does. */
export function isScalar(value: unknown): value is boolean | null | number | string {
  return value === null || Number.isFinite(value) || typeof value === 'string' || typeof value === 'boolean';
}
