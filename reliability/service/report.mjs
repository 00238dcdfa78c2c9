// The amount on the command line, and the last lines of the output.

/** The amount of a test: rounds, requests or seconds. Exits with 2 for anything else. */
export function amountOf(word, name, unit) {
  const amount = Number(word);
  if (Number.isSafeInteger(amount) && amount > 0) return amount;
  process.stderr.write(
    `"${word}" is not a number of ${unit}. Usage: npm run reliability -- ${name} [${unit.toUpperCase()}]\n`,
  );
  process.exit(2);
}

/** What is wrong: printed at the end, when it also sets the exit code. */
export class Report {
  #problems = [];

  say(text) {
    process.stdout.write(`${text}\n`);
  }

  /** Records a problem unless the condition holds. */
  check(condition, problem) {
    if (!condition) this.#problems.push(problem);
  }

  /** @param what the problems, such as "failed requests" */
  end(what) {
    for (const problem of this.#problems.slice(0, 20)) this.say(problem);
    this.say(`${what}: ${this.#problems.length}`);
    if (this.#problems.length > 0) process.exitCode = 1;
  }
}

export const rounded = (value) => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
