// Entry of the server as a program of its own, without the command line: `npm run dev` and the tests start it.
import { parseArgs } from 'node:util';
import { SERVER_FLAGS, type ServerFlag, serverOptionsOf } from '#server/flags';
import { runServer } from '#server/run';

const options = Object.fromEntries(
  Object.entries(SERVER_FLAGS).map(([name, flag]) => [name, { type: 'value' in flag ? ('string' as const) : ('boolean' as const) }]),
);

try {
  const { values } = parseArgs({ options, allowPositionals: false });
  await runServer(serverOptionsOf(values as Partial<Record<ServerFlag, string | boolean>>));
} catch (error) {
  process.stderr.write(`paydesk: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
