// `npm run peer -- authorizenet|nmi [--port N] [--drop-answer 5%] [--drop-request 5%] [--delay MS] [--bom] [--quirk NAME] [--visible-after SECONDS] [--seed N]`
// starts a processor simulator on this computer. It checks its protocol strictly, and has a readable ledger and configurable faults (docs/connectors.md).
import { parseArgs } from 'node:util';
import { type Fault, SIMULATORS, startSimulator } from '../test/simulators/index.ts';

const USAGE = `Usage: npm run peer -- ${Object.keys(SIMULATORS).join('|')} [--port N] [--drop-answer 5%] [--drop-request 5%] [--delay MS] [--bom]`;
const DELAY_MS = '1000';

/** Parses a share such as `5%` or `0.05`. */
function shareOf(text: string): number {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!(share >= 0 && share <= 1)) throw new Error(`${text} is not a valid share. Use 5% or 0.05.`);
  return share;
}

function numberOf(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new Error(`${text} is not a whole number.`);
  return number;
}

/** Adds the default duration to `--delay` without a value. */
const withDelay = (args: readonly string[]) =>
  args.flatMap((arg, at) => (arg === '--delay' && !/^\d/.test(args[at + 1] ?? '') ? [arg, DELAY_MS] : [arg]));

async function run(): Promise<void> {
  const text = { type: 'string' } as const;
  const options = {
    port: text,
    seed: text,
    delay: text,
    'drop-answer': text,
    'drop-request': text,
    'visible-after': text,
    bom: { type: 'boolean' },
    quirk: { type: 'string', multiple: true },
  } as const;
  const { values, positionals } = parseArgs({ args: withDelay(process.argv.slice(2)), options, allowPositionals: true });
  const [kind, ...others] = positionals;
  if (kind === undefined || others.length > 0) throw new Error(USAGE);
  const faults: Fault[] = [];
  if (values['drop-request'] !== undefined) faults.push({ do: 'drop-request', share: shareOf(values['drop-request']) });
  if (values['drop-answer'] !== undefined) faults.push({ do: 'drop-answer', share: shareOf(values['drop-answer']) });
  if (values.delay !== undefined) faults.push({ do: 'delay', ms: numberOf(values.delay) });
  const peer = await startSimulator(kind, {
    port: numberOf(values.port ?? '0'),
    seed: numberOf(values.seed ?? '1'),
    visibleAfterMs: numberOf(values['visible-after'] ?? '0') * 1_000,
    quirks: [...(values.bom ? ['bom'] : []), ...(values.quirk ?? [])],
    faults,
  });
  const { origin, credentials } = peer;
  console.log(JSON.stringify({ ready: true, kind, origin, credentials, ledger: `${origin}/__peer/ledger` }));
  console.log(`To use it, add a gateway: type ${kind}, mode test, origin ${origin}, and the credentials above (live accounts only).`);
  console.log(`To close its batch: curl -X POST ${origin}/__peer/close-batch`);
  const stop = () => void peer.stop().then(() => process.exit(0));
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

run().catch((error: unknown) => {
  console.error(`peer: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
