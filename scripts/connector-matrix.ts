// `npm run connector-matrix [-- NAME …]` runs the conformance tests against every connector and prints the results by operation and connector.
import { formatMatrix, HARNESSES, type Mark, runMatrix } from '../test/integration/gateways/conformance/matrix.ts';

async function run(): Promise<void> {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !(name in HARNESSES));
  if (unknown !== undefined) throw new Error(`There is no connector ${unknown}; there are: ${Object.keys(HARNESSES).join(', ')}.`);
  const columns = new Map<string, ReadonlyMap<string, Mark>>();
  for (const [name, open] of Object.entries(HARNESSES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const bench = await open();
    columns.set(name, await runMatrix(bench));
    await bench.close();
  }
  console.log(formatMatrix(columns));
  const failed = [...columns.values()].some((marks) => [...marks.values()].some(({ status: is }) => is === 'failed'));
  if (failed) process.exitCode = 1;
}

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
