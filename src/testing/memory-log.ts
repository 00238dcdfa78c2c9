import type { Log } from '../framework';

/** A logged line. */
export interface LogLine {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  readonly details: object;
  readonly message: string;
}

/** A log that keeps its lines in memory, for assertions. */
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

  debug(details: object, message: string): void {
    this.lines.push({ level: 'debug', details, message });
  }
}
