// Runs the command line as `cli/paydesk.mjs` does, but from the bundle `out/command.js`.
import { main } from '../../out/command.js';

await main(process.argv.slice(2));
