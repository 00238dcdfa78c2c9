import type { Log } from '../framework';

/** A line that was logged. */
export interface LogLine {
  readonly level: 'error' | 'warn' | 'info';
  readonly details: object;
  readonly message: string;
}

/** A log that is read by a test. */
export class MemoryLog implements Log {
  readonly lines: LogLine[] = [];

  error(details: object, message: string): void {
    this.lines.push({ level: 'error', details, message });
  }

  warn(details: object, message: string): void {
    this.lines.push({ level: 'warn', details, message });
  }

  info(details: object, message: string): void {
    this.lines.push({ level: 'info', details, message });
  }
}
