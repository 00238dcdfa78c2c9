import { StartError } from '../../framework';

/** A day: what is longer is a mistake, and more than timers can count. */
export const MOST_SECONDS = 86_400;

/**
 * Checks how long something may take, or goes on.
 * @param where names the operation, for the message
 * @throws StartError for what is no number of seconds
 */
export function secondsOf(key: 'timeout' | 'heartbeat', seconds: number, where: string): number {
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= MOST_SECONDS) return seconds;
  throw new StartError(
    `${where}: ${key} is ${seconds}. Write seconds from 0, which is for none, to ${MOST_SECONDS}.`,
  );
}
