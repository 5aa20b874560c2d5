import type { Command } from 'commander';
import { SERVER_FLAGS, type ServerFlag, serverOptionsOf } from '#server/operation/flags';
import { preparePages } from '../pages.ts';

const EXAMPLES = `
Each option can also be set in the environment, such as PAYDESK_DATA_DIR. One line of JSON is written when the server is ready.

Examples:
  $ paydesk serve --data-dir /var/lib/paydesk
  $ paydesk serve --demo --data-dir ./demo-data --port 0`;

export function addServe(paydesk: Command): void {
  const serve = paydesk
    .command('serve')
    .description('start a server with the screens, also for live accounts')
    .addHelpText('after', EXAMPLES);
  const names = Object.keys(SERVER_FLAGS) as ServerFlag[];
  for (const name of names) {
    const flag = SERVER_FLAGS[name];
    serve.option('value' in flag ? `--${name} <${flag.value}>` : `--${name}`, flag.description);
  }
  serve.action(async (given: Record<string, string | boolean>) => {
    const flags = Object.fromEntries(names.map((name) => [name, given[camelCase(name)]]));
    const options = serverOptionsOf(flags);
    if (options.webRoot === undefined) await preparePages();
    const { runServer } = await import('#server/run');
    await runServer(options);
  });
}

const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
