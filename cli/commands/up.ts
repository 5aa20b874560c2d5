import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type Command, Option } from 'commander';
import type { RunningServer } from '#server';
import { ENV_FILE, SETTINGS } from '../connection.ts';
import { writeEnvFile } from '../env-file.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { wholeNumber } from '../numbers.ts';
import { outputOf } from '../output.ts';
import { preparePages } from '../pages.ts';

const PORT_MAX = 65_535;

interface UpOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly sampleData: 'sales' | 'business';
  readonly webhookCa?: string;
  readonly print?: boolean;
  readonly pages?: boolean;
  readonly env?: string;
}

const EXAMPLES = `
Examples:
  $ paydesk up
  $ paydesk up --port 0 --data-dir ./shop --print
  $ paydesk up --sample-data business --pages`;

export function addUp(paydesk: Command): void {
  paydesk
    .command('up')
    .description('start a sandbox with sample data, and write its address and credentials to .env')
    .option('--data-dir <folder>', 'folder of the data; it is created if it is missing', '.paydesk/data')
    .option('--port <number>', 'port of the server; 0 for a free one', wholeNumber(0, PORT_MAX), 4_801)
    .addOption(
      new Option('--sample-data <extent>', '`business` also has customers, invoices and payouts')
        .choices(['sales', 'business'])
        .default('sales'),
    )
    .option('--webhook-ca <file>', 'certificate authority of webhook receivers')
    .option('--print', 'print the settings instead of writing them; standard output contains nothing else')
    .option('--pages', 'also serve the screens, which the repository builds first')
    .addHelpText('after', EXAMPLES)
    .action(async (_options, command: Command) => up(command));
}

async function up(command: Command): Promise<void> {
  const output = outputOf(command);
  const { dataDir, port, sampleData, webhookCa, print, pages, env = ENV_FILE } = command.optsWithGlobals<UpOptions>();
  if (pages) await preparePages();
  const [{ startServer }, { startFailure }, { newWebhookSecret }] = await Promise.all([
    import('#server'),
    import('#server/run'),
    import('#core/records/webhooks'),
  ]);
  const server = await startServer({ dataDir: resolve(dataDir), port, demo: true, sampleData, logLevel: 'warn', webhookCa }).catch(
    (error) => {
      throw new CommandFailure(EXIT.failed, startFailure(error));
    },
  );
  const stop = () => void server.close().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const values = settingsOf(server, storedSecret(env) ?? newWebhookSecret());
  if (print !== true) await writeEnvFile(env, values);
  const { baseUrl, credentials } = server;
  const text = [
    `Paydesk sandbox at ${baseUrl}`,
    ...(print === true ? [] : [`The settings are in ${env}.`]),
    `Sign in as ${credentials?.adminEmail} with ${credentials?.adminPassword}. API documentation: ${baseUrl}/docs`,
    'Next: paydesk listen --forward http://localhost:3000/hooks',
  ].join('\n');
  // A shell can read printed settings: `. FILE`.
  const settings = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  if (print === true && !output.isJson) output.note(text);
  output.write({ ready: true, baseUrl, ...(print === true ? values : { env }) }, print === true ? settings.join('\n') : text);
}

/** Returns the webhook secret of an earlier start. */
const storedSecret = (env: string) => (existsSync(env) ? parseEnv(readFileSync(env, 'utf8'))[SETTINGS.webhookSecret] : undefined);

function settingsOf({ baseUrl, credentials }: RunningServer, webhookSecret: string): Record<string, string> {
  const { tenantId = '', apiKey = '', adminEmail = '', adminPassword = '' } = credentials ?? {};
  return {
    [SETTINGS.url]: baseUrl,
    [SETTINGS.tenantId]: tenantId,
    [SETTINGS.apiKey]: apiKey,
    [SETTINGS.email]: adminEmail,
    [SETTINGS.password]: adminPassword,
    [SETTINGS.webhookSecret]: webhookSecret,
  };
}
