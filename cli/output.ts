import type { Command } from 'commander';

/** Output of a command: text for people, or with `--json` one JSON value per line. */
export interface Output {
  readonly isJson: boolean;
  /** Writes a result: the value with `--json`, otherwise the text. */
  write(value: object, text: string): void;
  /** Writes a line for people to standard error, so that standard output contains results only. */
  note(text: string): void;
}

export function outputOf(command: Command): Output {
  const isJson = command.optsWithGlobals().json === true;
  return {
    isJson,
    write: (value, text) => void process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
  };
}
