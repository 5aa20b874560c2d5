import { ConnectionError, PaydeskError } from '@paydesk/client';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { COMMANDS } from './commands/index.ts';
import { DEFAULT_URL, ENV_FILE } from './connection.ts';
import { CommandFailure, EXIT, type ExitCode, NAMES } from './exit-codes.ts';

const EXIT_CODES = `
Exit codes:
  0  success
  1  the server refused the request, or the operation failed
  2  wrong command, argument or option
  3  no server answers at the address
  4  the credentials are wrong or do not allow the request
  5  the expected event did not appear in time
  6  a comparison found a difference: a replay, a trial, or the ledger with the records`;

const DENIED = new Set([401, 403]);

/** Returns the command line with all commands. */
export function program(): Command {
  const paydesk = new Command('paydesk')
    .description('Starts a Paydesk sandbox, receives its events, and causes them.')
    .version(manifest.version, '-V, --version', 'print the version')
    .option('--json', 'write results as JSON, one value per line')
    .option('--url <address>', `address of the server (default: PAYDESK_URL, or ${DEFAULT_URL})`)
    .option('--env <file>', `file with all settings, instead of the environment (default: ${ENV_FILE} if the environment has none)`)
    .addHelpText('after', EXIT_CODES)
    .showHelpAfterError('Run the command with --help for its options and examples.')
    .exitOverride();
  for (const add of COMMANDS) add(paydesk);
  for (const command of paydesk.commands) command.exitOverride();
  return paydesk;
}

/** Returns a command with those below it. */
const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

/** Runs the command line and sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const isJson = args.includes('--json');
  try {
    const paydesk = program();
    if (isJson) for (const command of allOf(paydesk)) command.configureOutput({ outputError: () => {} }).showHelpAfterError(false);
    await paydesk.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, isJson);
  }
}

/** Writes an error for the user and returns its exit code. */
function report(error: unknown, isJson: boolean): number {
  // Commander has written its own message, or the help that was asked for.
  if (error instanceof CommanderError && (error.exitCode === 0 || !isJson)) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const { exitCode, message, code, requestId = null } = failureOf(error);
  const prefix = code === undefined ? '' : `${code}: `;
  const described = { error: { code: code ?? NAMES[exitCode], message, requestId } };
  process.stderr.write(isJson ? `${JSON.stringify(described)}\n` : `paydesk: ${prefix}${message}\n`);
  return exitCode;
}

interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string;
  readonly code?: string;
  readonly requestId?: string | null;
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) return { exitCode: EXIT.usage, message: error.message.replace(/^error: /, '') };
  if (error instanceof CommandFailure) return error;
  if (error instanceof ConnectionError) return { exitCode: EXIT.unreachable, message: `${error.message} Start one with \`paydesk up\`.` };
  if (error instanceof PaydeskError) {
    const { code, message, requestId, status } = error;
    return { exitCode: DENIED.has(status) ? EXIT.denied : EXIT.failed, message, code, requestId };
  }
  if (!(error instanceof Error)) return { exitCode: EXIT.failed, message: String(error) };
  // The error of a damaged database has steps.
  const { message, instructions } = error as Error & { instructions?: string };
  return { exitCode: EXIT.failed, message: instructions === undefined ? message : `${message} ${instructions}` };
}
