import type { Configuration, ConfigObject } from '../../../../framework';
import { optionIssues, type HttpAdapterOptions } from '../../../mvc-auth';
import { checkFiles, type CheckResult } from './file-checks';

/**
 * Checks the options of an `HttpAdapter` beyond their schema. Options that fail the schema are skipped, so that each
 * has one error.
 *
 * @param errors of the schema
 * @param current the active options
 */
export async function checkHttpOptions(
  configuration: Configuration,
  options: ConfigObject,
  errors: readonly CheckResult[],
  current: ConfigObject,
): Promise<readonly CheckResult[]> {
  const broken = new Set(errors.map(({ pointer }) => pointer.split('/')[2] ?? ''));
  const sound = Object.entries(options).filter(([key]) => !broken.has(key));
  // The schema accepted the rest; the two required options are filled in.
  const http = { accept_schemes: [], realm: '', ...Object.fromEntries(sound) } as HttpAdapterOptions;
  const faults = optionIssues(http).filter(({ option }) => !broken.has(option));
  // The users of a digest file depend on the realm.
  const isRealmSound = !broken.has('realm') && faults.every(({ option }) => option !== 'realm');
  const files = await checkFiles(configuration, isRealmSound ? http : { ...http, realm: '' }, current);
  return [
    ...faults.map(({ option, advice }) => ({
      level: 'error' as const,
      pointer: `/options/${option}`,
      message: `${advice[0]?.toUpperCase() ?? ''}${advice.slice(1)}.`,
    })),
    ...files,
  ];
}
