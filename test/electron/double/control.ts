import * as electron from './electron.ts';

/** Request to run a function of the test in this process, as Playwright does in Electron. */
export interface Evaluation {
  id: number;
  source: string;
  argument: unknown;
}

/** Result of an evaluation: a value, or the text of the error. */
export type EvaluationResult = { id: number; value: unknown } | { id: number; problem: string };

process.on('message', async ({ id, source, argument }: Evaluation) => {
  process.send?.(
    await evaluate(source, argument).then(
      (value) => ({ id, value }),
      (cause: unknown) => ({ id, problem: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }),
    ),
  );
});

// Ends the application if the test run ends or crashes.
process.on('disconnect', () => process.exit(1));

async function evaluate(source: string, argument: unknown): Promise<unknown> {
  const run = new Function(`return (${source})`)() as (module: typeof electron, argument: unknown) => unknown;
  return run(electron, argument);
}
