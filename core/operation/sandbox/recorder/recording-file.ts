import { type Actor, ServiceError } from '#core/kernel';

/** First line of a file. */
export interface HeaderLine {
  readonly paydesk: 'recording';
  readonly version: 1;
  readonly name: string;
  /** Time of day of the start in the zone of the account's first merchant, `06:15:03.120`, at which a replay starts. */
  readonly startsAt: string;
  readonly steps: number;
}

/** A line of a file: a request with its response, and the events until the next request. */
export interface StepLine {
  readonly step: number;
  /** Seconds of the tenant's clock since the start. */
  readonly afterSeconds: number;
  readonly request: string;
  readonly operation: string;
  /** Reason why the step cannot be replayed. */
  readonly omitted?: string;
  /** Merchant of the credential; null for the whole account. */
  readonly merchant: string | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  readonly status: number;
  readonly answer: unknown;
  readonly events: readonly { readonly type: string; readonly data: unknown }[];
}

/** Returns the events that an actor may see from a time on, or after the event with this ID, in the order of their commits. */
export type EventsSince = (actor: Actor, from: string, after: string | null) => Promise<readonly RecordedEvent[]>;

/** An event as a recording and a replay read it. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly data: unknown;
}

const STEPS_MAX = 10_000;
/** A request and its response have a mebibyte each. */
const LINE_MAX = 2_500_000;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/;

/** Reads the text of a file, which arrives in pieces. @throws ServiceError VALIDATION_ERROR on `file` with the number of the invalid line. */
export async function parseRecording(
  text: AsyncIterable<string>,
): Promise<{ readonly header: HeaderLine; readonly steps: readonly StepLine[] }> {
  const steps: StepLine[] = [];
  let header: HeaderLine | null = null;
  for await (const { line, number } of linesOf(text)) {
    if (header === null) header = headerFrom(line, number);
    else if (steps.length >= STEPS_MAX) throw invalid(`A recording has at most ${STEPS_MAX} steps.`);
    else steps.push(stepFrom(line, number));
  }
  return { header: header ?? headerFrom('', 1), steps };
}

/** Yields the lines that are not empty. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<{ readonly line: string; readonly number: number }> {
  let rest = '';
  let number = 0;
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield { line, number };
    }
    if (rest.length > LINE_MAX) throw invalid(`Line ${number + 1} is longer than ${LINE_MAX} characters.`);
  }
  if (rest.trim() !== '') yield { line: rest, number: number + 1 };
}

function headerFrom(line: string, number: number): HeaderLine {
  const header = parseLine(line, number) as Partial<HeaderLine>;
  if (header.paydesk !== 'recording' || header.version !== 1 || !TIME_OF_DAY.test(header.startsAt ?? ''))
    throw invalid('The first line must be the header of a Paydesk recording of version 1.');
  return header as HeaderLine;
}

function stepFrom(line: string, number: number): StepLine {
  const step = parseLine(line, number) as Partial<StepLine>;
  const isComplete =
    typeof step.operation === 'string' &&
    Number.isFinite(step.afterSeconds) &&
    typeof step.status === 'number' &&
    Array.isArray(step.events) &&
    (step.merchant === null || typeof step.merchant === 'string');
  if (!isComplete) throw invalid(`Line ${number} is not a step of a recording.`);
  return step as StepLine;
}

function parseLine(line: string, number: number): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below like a line that is not an object.
  }
  throw invalid(`Line ${number} is not a JSON object.`);
}

const invalid = (message: string) => new ServiceError('VALIDATION_ERROR', message, { field: 'file' });
