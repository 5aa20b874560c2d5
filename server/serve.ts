// Entry of the server as a program of its own, without the command line: `npm run dev` and the tests start it.
import { parseArgs } from 'node:util';
import { FLAG_OPTIONS, type ServerFlag, serverOptionsOf } from '#server/operation/flags';
import { runServer } from '#server/run';

try {
  const { values } = parseArgs({ options: FLAG_OPTIONS, allowPositionals: false });
  await runServer(serverOptionsOf(values as Partial<Record<ServerFlag, string | boolean>>));
} catch (error) {
  process.stderr.write(`paydesk: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
