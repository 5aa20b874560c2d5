import * as electron from './electron.ts';

/** Runs a function of the test in this process, as Playwright does in Electron's. */
export interface Evaluation {
  id: number;
  source: string;
  argument: unknown;
}

/** What came of it: a value, or the text of what it threw. */
export type Evaluated = { id: number; value: unknown } | { id: number; problem: string };

process.on('message', async ({ id, source, argument }: Evaluation) => {
  process.send?.(
    await evaluate(source, argument).then(
      (value) => ({ id, value }),
      (cause: unknown) => ({ id, problem: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }),
    ),
  );
});

// A test run that died leaves no application behind.
process.on('disconnect', () => process.exit(1));

async function evaluate(source: string, argument: unknown): Promise<unknown> {
  const run = new Function(`return (${source})`)() as (module: typeof electron, argument: unknown) => unknown;
  return run(electron, argument);
}
