import { setTimeout } from 'node:timers/promises';
import { type Actor, isoTime, newId } from '#core/kernel';
import type { ReplayReport } from '../records.ts';
import { type Bindings, type Difference, differenceOf, resolvePlaceholders, storedResponse, UnknownName } from './placeholders.ts';
import { type EventsSince, parseRecording, type RecordedEvent, type StepLine } from './recording-file.ts';
import { type MerchantsOf, nextStart, zoneOf } from './start.ts';
import { testDataOf } from './test-data-names.ts';

/** A request of a replay, which the server runs like one that arrives over HTTP. */
export interface ReplayedRequest {
  readonly operation: string;
  readonly merchantId: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
}

export interface ReplayedResponse {
  readonly status: number;
  readonly answer: unknown;
}

interface ReplayDependencies {
  readonly timeOf: (tenantId: string) => Promise<number>;
  /** Moves the clock as if the time had passed without a request. */
  readonly passTimeUntil: (actor: Actor, ms: number) => Promise<void>;
  readonly reset: (actor: Actor) => Promise<void>;
  readonly merchantsOf: MerchantsOf;
  readonly eventsSince: EventsSince;
}

/** Time that events of background work have to appear. */
const EVENTS_WAIT_MS = 10_000;
const EVENTS_POLL_MS = 50;
/** Difference of clocks, in milliseconds, below which the clock is not moved. */
const CLOCK_SLACK_MS = 500;

/**
 * Runs the steps of a recording one after another, at the same distances in time, until the first difference. It starts at the same time of day, to
 * which the test clock is moved (see `nextStart`), and first deletes the tenant's data if `isReset` is true. Events are compared without regard to their order across
 * resources, because background work emits them. @throws ServiceError VALIDATION_ERROR for an invalid file.
 */
export async function replay(
  deps: ReplayDependencies,
  actor: Actor,
  text: AsyncIterable<string>,
  isReset: boolean,
  run: (request: ReplayedRequest) => Promise<ReplayedResponse>,
): Promise<ReplayReport> {
  const { header, steps } = await parseRecording(text);
  const { tenantId } = actor;
  if (isReset) await deps.reset(actor);
  const merchants = await deps.merchantsOf(actor);
  const durationMs = (steps.at(-1)?.afterSeconds ?? 0) * 1_000;
  const start = nextStart(await deps.timeOf(tenantId), zoneOf(merchants), header, durationMs);
  const { startMs } = start;
  await deps.passTimeUntil(actor, startMs);
  const ids = merchants.map(({ merchantId }, index) => [`$mer${index + 1}`, merchantId] as const);
  const bindings: Bindings = { ids: new Map(ids), start };
  const events = new ReplayedEvents(deps, actor, isoTime(startMs));
  await events.skip();
  const replayId = newId('rcd', startMs);
  let omittedSteps = 0;
  let equalSteps = 0;
  for (const step of steps) {
    if (step.omitted !== undefined) {
      omittedSteps += 1;
      continue;
    }
    const targetMs = startMs + step.afterSeconds * 1_000;
    if (targetMs > (await deps.timeOf(tenantId)) + CLOCK_SLACK_MS) await deps.passTimeUntil(actor, targetMs);
    const found = await differenceIn(step, bindings, replayId, run, events);
    if (found) {
      const { step: number, request } = step;
      return {
        name: header.name,
        steps: steps.length,
        equalSteps,
        omittedSteps,
        isEqual: false,
        difference: { step: number, request, ...found },
      };
    }
    equalSteps += 1;
  }
  const last = steps.at(-1);
  const [extra] = await events.extra();
  if (extra !== undefined && last !== undefined) {
    const message = `The event ${extra.type} occurred, but was not recorded.`;
    const difference = { step: last.step, request: last.request, place: 'events', expected: null, actual: extra, message };
    return { name: header.name, steps: steps.length, equalSteps, omittedSteps, isEqual: false, difference };
  }
  return { name: header.name, steps: steps.length, equalSteps, omittedSteps, isEqual: true, difference: null };
}

async function differenceIn(
  step: StepLine,
  bindings: Bindings,
  replayId: string,
  run: (request: ReplayedRequest) => Promise<ReplayedResponse>,
  events: ReplayedEvents,
): Promise<(Difference & { message: string }) | null> {
  let request: ReplayedRequest;
  try {
    const { merchant, params, query, body } = step;
    const resolved = resolvePlaceholders({ merchant, params, query, body }, bindings, testDataOf) as {
      readonly merchant: string | null;
      readonly params: Record<string, string> | null;
      readonly query: Record<string, string> | null;
      readonly body: Record<string, unknown> | null;
    };
    request = {
      operation: step.operation,
      merchantId: resolved.merchant,
      params: resolved.params ?? {},
      query: resolved.query ?? {},
      body: resolved.body ?? {},
      idempotencyKey: step.idempotencyKey === null ? null : `${replayId} ${step.idempotencyKey}`.slice(0, 255),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message =
      error instanceof UnknownName
        ? `The request names ${error.message}, which no earlier step created. Record from an empty sandbox.`
        : error.message;
    return { place: 'request', expected: null, actual: null, message };
  }
  const { status, answer } = await run(request);
  if (status !== step.status)
    return {
      place: 'status',
      expected: step.status,
      actual: status,
      message: `The response has status ${status} instead of ${step.status}.`,
    };
  const inAnswer = differenceOf(step.answer, storedResponse(answer), bindings);
  if (inAnswer) return { ...inAnswer, message: `The response differs at \`${inAnswer.place}\`.` };
  const missing = await events.take(step.events, bindings);
  return (
    missing && {
      place: 'events',
      expected: missing,
      actual: events.unmatched(),
      message: `The event ${missing.type} did not occur as recorded.`,
    }
  );
}

type RecordedStepEvent = StepLine['events'][number];

/** Events of a replay that no recorded event has matched yet. */
class ReplayedEvents {
  readonly #deps: ReplayDependencies;
  readonly #actor: Actor;
  readonly #from: string;
  #last: string | null = null;
  #open: RecordedEvent[] = [];

  constructor(deps: ReplayDependencies, actor: Actor, from: string) {
    this.#deps = deps;
    this.#actor = actor;
    this.#from = from;
  }

  /** Ignores the events so far. */
  async skip(): Promise<void> {
    await this.#read();
    this.#open = [];
  }

  /** Waits until each recorded event has a matching one, and removes these. Returns the first recorded event that stays without one. */
  async take(recorded: readonly RecordedStepEvent[], bindings: Bindings): Promise<RecordedStepEvent | null> {
    let missing = [...recorded];
    for (let waitedMs = 0; ; waitedMs += EVENTS_POLL_MS) {
      await this.#read();
      missing = missing.filter((event) => !this.#remove(event, bindings));
      if (missing.length === 0 || waitedMs >= EVENTS_WAIT_MS) return missing[0] ?? null;
      await setTimeout(EVENTS_POLL_MS);
    }
  }

  /** Returns the types and data of the events that matched nothing. */
  unmatched() {
    return this.#open.map(({ type, data }) => ({ type, data: storedResponse(data) }));
  }

  /** Returns the events that no recorded event matched, after reading once more. */
  async extra() {
    await this.#read();
    return this.unmatched();
  }

  async #read(): Promise<void> {
    const fresh = await this.#deps.eventsSince(this.#actor, this.#from, this.#last);
    this.#last = fresh.at(-1)?.id ?? this.#last;
    this.#open.push(...fresh);
  }

  #remove(recorded: RecordedStepEvent, bindings: Bindings): boolean {
    const index = this.#open.findIndex(({ type, data }) => {
      if (type !== recorded.type) return false;
      // A comparison that fails must not bind names.
      const trial: Bindings = { ...bindings, ids: new Map(bindings.ids) };
      if (differenceOf(recorded.data, storedResponse(data), trial)) return false;
      for (const [name, id] of trial.ids) bindings.ids.set(name, id);
      return true;
    });
    if (index < 0) return false;
    this.#open.splice(index, 1);
    return true;
  }
}
