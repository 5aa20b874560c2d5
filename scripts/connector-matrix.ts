// `npm run connector-matrix [-- NAME …]` plays the conformance kit against every connector and prints what came of it: connector by operation and outcome.
import { BENCHES, type Mark, playAll, printed } from '../test/integration/gateways/conformance/matrix.ts';

async function run(): Promise<void> {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !(name in BENCHES));
  if (unknown !== undefined) throw new Error(`There is no connector ${unknown}; there are: ${Object.keys(BENCHES).join(', ')}.`);
  const columns = new Map<string, ReadonlyMap<string, Mark>>();
  for (const [name, open] of Object.entries(BENCHES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const bench = await open();
    columns.set(name, await playAll(bench));
    await bench.close();
  }
  console.log(printed(columns));
  const failed = [...columns.values()].some((marks) => [...marks.values()].some(({ is }) => is === 'failed'));
  if (failed) process.exitCode = 1;
}

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
