export type { RunningPlatform, StopOptions } from './running-platform';
export {
  assertProgramOptions,
  programOptionNames,
  type ProgramOptions,
  type StartOptions,
} from './start-options';
export { startPlatform } from './start-platform';
