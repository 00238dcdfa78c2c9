/** A log file that can be opened again, by its name. */
export interface ReopenableLog {
  reopen(): void;
}

/** The open log files of the process. */
export class LogFiles {
  readonly #open = new Set<ReopenableLog>();

  /** @returns a function that removes the file */
  add(file: ReopenableLog): () => void {
    this.#open.add(file);
    return () => this.#open.delete(file);
  }

  /**
   * Opens every file again, after it was renamed by a program that rotates logs.
   * @returns their number
   */
  reopen(): number {
    for (const file of this.#open) file.reopen();
    return this.#open.size;
  }
}
