/** Exit codes of the command line. */
export const EXIT = {
  ok: 0,
  /** The server refused the request, or the operation failed. */
  failed: 1,
  /** Unknown command, missing argument or wrong option. */
  usage: 2,
  /** No server answers at the address. */
  unreachable: 3,
  /** The server rejected the credentials, or they do not allow the request. */
  denied: 4,
  /** The expected event did not appear in time. */
  timeout: 5,
  /** A comparison found a difference. */
  different: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Codes of errors that no server has named, in the output of `--json`. */
export const NAMES: Readonly<Record<ExitCode, string>> = {
  0: 'OK',
  1: 'FAILED',
  2: 'USAGE',
  3: 'UNREACHABLE',
  4: 'DENIED',
  5: 'TIMEOUT',
  6: 'DIFFERENT',
};

/** An error with its exit code. The message is for the user. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
