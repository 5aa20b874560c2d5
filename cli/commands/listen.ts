import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError, NotFoundError } from '@paydesk/client';
import { type Command, InvalidArgumentError } from 'commander';
import { Connection, type Requests } from '../connection.ts';
import { forwardTo, type Handled, runWith } from '../forward.ts';
import { bodyOf, type HistoryEvent, lineOf, readEvents } from '../history.ts';
import { ListenState } from '../listen-state.ts';
import { type Output, outputOf } from '../output.ts';

const WAIT_SECONDS = 20;
const PAGE = 200;
const RECONNECT_MS = 1_000;
/** Waits before an event is passed on again; the last one repeats. */
const AGAIN_MS = [500, 1_000, 2_000, 5_000];
const BEGINNING = '2000-01-01';

interface ListenOptions {
  readonly types?: string;
  readonly forward?: string;
  readonly exec?: string;
  readonly from?: string;
  readonly state: string;
  readonly retry: boolean;
}

const EXAMPLES = `
Each event is printed, signed with PAYDESK_WEBHOOK_SECRET and forwarded, in order. After a restart the command continues where it stopped.
An event is forwarded again until the program responds with 200; ignore an ID that you have received before.

Examples:
  $ paydesk listen
  $ paydesk listen --forward http://localhost:3000/hooks
  $ paydesk listen --types transaction.approved,refund.processed --exec 'jq .data'
  $ paydesk listen --from 2026-11-01 --json > events.jsonl`;

export function addListen(paydesk: Command): void {
  paydesk
    .command('listen')
    .description('receive events as they happen, without an endpoint or a certificate')
    .option('--types <types>', 'event types, separated by commas')
    .option('--forward <url>', 'send each event to this address, signed', webAddress)
    .option('--exec <command>', 'run a command for each event, with the body as its input')
    .option('--from <time>', 'at the first start begin here, instead of with the next event: a day or an ISO 8601 time')
    .option('--state <file>', 'file that stores the last event', '.paydesk/listen.json')
    .option('--no-retry', 'continue with the next event if one is not accepted')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListenOptions, command: Command) => listen(new Connection(command), options, outputOf(command)));
}

/** Returns an address of HTTP or HTTPS as it was given. @throws InvalidArgumentError */
function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Use an address such as http://localhost:3000/hooks.');
  return text;
}

async function listen(connection: Connection, options: ListenOptions, output: Output): Promise<void> {
  const requests = connection.withApiKey(0);
  const secret = options.forward === undefined ? '' : connection.required('webhookSecret');
  const state = new ListenState(options.state, connection.url, connection.required('tenantId'));
  const source = new EventSource(requests, options, state, output);
  process.once('SIGINT', () => process.exit(0)).once('SIGTERM', () => process.exit(0));
  for await (const event of source.events()) {
    for (let attempt = 0; ; attempt += 1) {
      const handled = await handle(event, options, secret);
      output.write(
        { event: JSON.parse(bodyOf(event)) as object, result: handled?.text ?? null },
        `${lineOf(event)}${handled ? `  → ${handled.text}` : ''}`,
      );
      if (handled === null || handled.isOk || !options.retry) break;
      await pause(AGAIN_MS[Math.min(attempt, AGAIN_MS.length - 1)]);
    }
    await state.save(event.id);
  }
}

/** Passes an event on. Returns null if it is only printed. */
async function handle(event: HistoryEvent, { forward, exec }: ListenOptions, secret: string): Promise<Handled | null> {
  const forwarded = forward === undefined ? null : await forwardTo(forward, event, secret);
  if (exec === undefined || forwarded?.isOk === false) return forwarded;
  const ran = await runWith(exec, event);
  return forwarded === null ? ran : { isOk: ran.isOk, text: `${forwarded.text}, ${ran.text}` };
}

/** Reads the history from a cursor on, and waits for new events. A stopped server is awaited. */
class EventSource {
  readonly #requests: Requests;
  readonly #options: ListenOptions;
  readonly #output: Output;
  readonly #state: ListenState;
  #cursor: string | undefined;

  constructor(requests: Requests, options: ListenOptions, state: ListenState, output: Output) {
    this.#requests = requests;
    this.#options = options;
    this.#state = state;
    this.#output = output;
  }

  async *events(): AsyncGenerator<HistoryEvent, void, void> {
    const { types, from } = this.#options;
    const filter = types === undefined ? {} : { types };
    let start = from;
    this.#cursor = await this.#state.load();
    if (this.#cursor === undefined && start === undefined) {
      const [newest] = await this.#untilConnected(() => readEvents(this.#requests, '/public', { limit: 1 }));
      this.#cursor = newest?.id;
      // A command that is killed before the first event continues here too.
      if (newest !== undefined) await this.#state.save(newest.id);
      start = BEGINNING;
    }
    this.#output.note(this.#cursor === undefined ? `Listening for events since ${start}.` : `Listening for events after ${this.#cursor}.`);
    for (;;) {
      const at = this.#cursor === undefined ? { from: start ?? BEGINNING } : { after: this.#cursor, wait: WAIT_SECONDS };
      try {
        const page = await this.#untilConnected(() => readEvents(this.#requests, '/public', { ...filter, ...at, limit: PAGE }));
        for (const event of page) {
          yield event;
          this.#cursor = event.id;
        }
        if (page.length === 0 && this.#cursor === undefined) await pause(RECONNECT_MS);
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        this.#output.note('The sandbox was reset. Continuing with its new events.');
        this.#cursor = undefined;
        start = BEGINNING;
      }
    }
  }

  /** Repeats a request until a server answers it. */
  async #untilConnected<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (let isReported = false; ; ) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof ConnectionError) && (error as { status?: number }).status !== 503) throw error;
        if (!isReported) this.#output.note('The server does not answer. Waiting for it…');
        isReported = true;
        await pause(RECONNECT_MS);
      }
    }
  }
}
