import type { Command } from 'commander';
import { Connection } from '../connection.ts';

const EXAMPLES = `
The command is started by an agent. It needs PAYDESK_TENANT_ID and PAYDESK_API_KEY; standard output carries the protocol.

Examples:
  $ paydesk mcp
  $ paydesk mcp --allow refunds,invoices
  $ paydesk mcp --url http://127.0.0.1:4801 --live`;

export function addMcp(paydesk: Command): void {
  paydesk
    .command('mcp')
    .description('serve the tools of an API key to an agent (Model Context Protocol)')
    .option('--allow <areas>', 'permission areas in which the agent may change something, separated by commas; none by default')
    .option('--live', 'serve a live account')
    .addHelpText('after', EXAMPLES)
    .action(async ({ allow = '', live = false }: { allow?: string; live?: boolean }, command: Command) => {
      const connection = new Connection(command);
      const account = { baseUrl: connection.url, tenantId: connection.required('tenantId'), apiKey: connection.required('apiKey') };
      const { serveMcp } = await import('../../mcp/index.ts');
      await serveMcp(account, {
        areas: allow
          .split(',')
          .map((area) => area.trim())
          .filter((area) => area !== ''),
        live,
      });
    });
}
