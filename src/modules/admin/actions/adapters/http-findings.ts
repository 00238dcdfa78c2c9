import type { ConfigTree } from '../../../../framework';
import { optionFaults, type HttpAdapterOptions } from '../../../mvc-auth';
import { findingsOfFiles, type Finding } from './adapter-findings';

/**
 * What is right and wrong with the options of an `HttpAdapter` beyond their schema, of those that meet it: the
 * rest would be judged twice.
 *
 * @param errors what their schema says against them
 * @param current the options in force
 */
export async function findingsOfHttp(
  root: string,
  options: ConfigTree,
  errors: readonly Finding[],
  current: ConfigTree,
): Promise<readonly Finding[]> {
  const broken = new Set(errors.map(({ pointer }) => pointer.split('/')[2] ?? ''));
  const sound = Object.entries(options).filter(([key]) => !broken.has(key));
  // Of what is left, the schema has just said that it fits; the two that it needs are filled in.
  const http = { accept_schemes: [], realm: '', ...Object.fromEntries(sound) } as HttpAdapterOptions;
  const faults = optionFaults(http).filter(({ option }) => !broken.has(option));
  // Which users a file has depends on the realm.
  const isRealmSound = !broken.has('realm') && faults.every(({ option }) => option !== 'realm');
  const files = await findingsOfFiles(root, isRealmSound ? http : { ...http, realm: '' }, current);
  return [
    ...faults.map(({ option, advice }) => ({
      level: 'error' as const,
      pointer: `/options/${option}`,
      message: `${advice[0]?.toUpperCase() ?? ''}${advice.slice(1)}.`,
    })),
    ...files,
  ];
}
