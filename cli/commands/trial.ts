import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { readNamed } from '../files.ts';
import { outputOf } from '../output.ts';

interface TrialFlags {
  readonly gateway: string;
  readonly credentials: string;
  readonly report: string;
  readonly origin?: string;
  readonly key?: string;
  readonly currency: string;
  readonly timezone: string;
}

/** Processors show a new payment after some seconds. */
const PATIENCE = { everyMs: 3_000, atMostMs: 60_000 };

const EXAMPLES = `
Makes about 45 small test payments, captures, voids, refunds and inquiries at a test account of the processor, and compares each answer with
that of the simulator. Live accounts are never used. The file of credentials is JSON by the names of the gateway's fields, such as
{"securityKey": "…"}; the report contains none of them. The exit code is 6 if an answer differs.

Examples:
  $ paydesk trial --gateway nmi --credentials nmi.json --report trial.json
  $ paydesk trial --gateway authorizenet --credentials a.json --report trial.json --key signing-key.pem`;

export function addTrial(paydesk: Command): void {
  paydesk
    .command('trial')
    .description("compare a processor's test account with its simulator")
    .addOption(new Option('--gateway <type>', 'payment processor').choices(['authorizenet', 'nmi']).makeOptionMandatory())
    .requiredOption('--credentials <file>', 'file with the credentials of the test account')
    .requiredOption('--report <file>', 'file that receives the report')
    .option('--origin <address>', 'address of the processor, if a reseller or a simulator has another one')
    .option('--key <file>', 'private Ed25519 key that signs the report, as <file>.sig')
    .option('--currency <code>', 'currency of the account', 'USD')
    .option('--timezone <name>', 'time zone of the account', 'America/Chicago')
    .addHelpText('after', EXAMPLES)
    .action(async ({ credentials, report, key, ...flags }: TrialFlags, command: Command) => {
      const output = outputOf(command);
      const signingKey = key === undefined ? undefined : await privateKeyIn(key);
      const given = credentialsIn((await readNamed(credentials)).toString());
      // Everything that can be wrong is found before the first payment.
      await requireFolderOf(report);
      const { runTrial } = await import('../trial/trial.ts');
      const result = await runTrial(manifest.version, {
        ...flags,
        credentials: given,
        patience: PATIENCE,
        progress: ({ name, isEqual, expected, actual }) =>
          output.note(isEqual ? `equal      ${name}: ${actual}` : `DIFFERENT  ${name}: ${actual}; the simulator: ${expected}`),
      });
      const text = `${JSON.stringify(result, null, 2)}\n`;
      await writeFile(report, text);
      if (signingKey !== undefined) await writeFile(`${report}.sig`, sign(null, Buffer.from(text), signingKey));
      const { differences, steps } = result;
      output.write(
        result,
        `${steps.length - differences} of ${steps.length} answers are those of the simulator. The report is in ${report}.`,
      );
      if (differences > 0) process.exitCode = EXIT.different;
    });
}

async function privateKeyIn(file: string): Promise<KeyObject> {
  try {
    return createPrivateKey(await readNamed(file));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(EXIT.usage, `${file} contains no private key in PEM.`);
  }
}

async function requireFolderOf(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) throw new CommandFailure(EXIT.usage, `No file can be written into ${folder}.`);
}

function credentialsIn(text: string): Record<string, string> {
  const wrong = new CommandFailure(EXIT.usage, 'The file of credentials must be a JSON object whose values are texts.');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Object.values(value).some((each) => typeof each !== 'string')) throw wrong;
    return value as Record<string, string>;
  } catch {
    throw wrong;
  }
}
