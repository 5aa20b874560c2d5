import { type Cache, type Database, newestPage, type Page, type PageRequest } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { Audit } from '#core/records/audit';
import type { Recording } from '../records.ts';
import { IdNames, storedRequest, storedResponse, withPlaceholders } from './placeholders.ts';
import type { EventsSince, HeaderLine, RecordedEvent, StepLine } from './recording-file.ts';
import { RECORDING_STEPS, RECORDINGS, type RecordingRow } from './schema.ts';
import { localTimeOf, type MerchantsOf, startIn, zoneOf } from './start.ts';

const STEPS_MAX = 10_000;

/** A request with its response, as the server observed it. */
export interface ObservedRequest {
  /** The tenant's time at the start of the request, in milliseconds. */
  readonly atMs: number;
  /** Operation ID of the route. */
  readonly operation: string;
  /** Method and path, for people who read the file. */
  readonly request: string;
  readonly merchantId: string | null;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  readonly status: number;
  readonly answer: unknown;
  /** True for an operation whose body contains a password or another secret: it is listed, but cannot be replayed. */
  readonly isOmitted: boolean;
}

export interface RecorderDependencies {
  readonly database: Database;
  /** ID of the running recording of a tenant; empty if there is none. */
  readonly running: Cache<string>;
  readonly timeOf: (tenantId: string) => Promise<number>;
  readonly requireSandbox: (actor: Pick<Actor, 'tenantId'>) => void;
  readonly isSandbox: (tenantId: string) => boolean;
  /** IDs of the tenant's merchants, oldest first. */
  readonly merchantsOf: MerchantsOf;
  /** Events that the actor may see since a time, or after an event, in the order of their commits. */
  readonly eventsSince: EventsSince;
  readonly audit: Audit['record'];
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

async function rowOf(deps: RecorderDependencies, actor: Actor, id: string): Promise<RecordingRow> {
  deps.requireSandbox(actor);
  const row = await deps.database.read(actor.tenantId).one(RECORDINGS, { id });
  if (!row) throw new ServiceError('NOT_FOUND', 'No recording has this ID.');
  // A recording contains the requests of all merchants.
  if (actor.merchantId !== null)
    throw new ServiceError(
      'MERCHANT_NOT_AUTHORIZED',
      'You have access to one merchant, and a recording contains requests of all merchants.',
    );
  return row;
}

/** Returns the ID of the running recording, or an empty text. Nothing of a live tenant is ever recorded. */
async function runningId(deps: RecorderDependencies, tenantId: string): Promise<string> {
  if (!deps.isSandbox(tenantId)) return '';
  return deps.running.through(tenantId, async () => (await deps.database.read(tenantId).one(RECORDINGS, { state: 'recording' }))?.id ?? '');
}

/** Starts a recording. @throws ServiceError RESOURCE_CONFLICT while another one runs. */
export async function startRecording(deps: RecorderDependencies, actor: Actor, name: string): Promise<Recording> {
  deps.requireSandbox(actor);
  const { tenantId } = actor;
  const nowMs = await deps.timeOf(tenantId);
  const row: RecordingRow = {
    tenant_id: tenantId,
    id: newId('rcd', nowMs),
    name,
    state: 'recording',
    steps: 0,
    started_ms: nowMs,
    created_by: actor.name,
    created_at: isoTime(nowMs),
    stopped_at: null,
  };
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    await work.advisoryLock(`recordings ${tenantId}`);
    const other = await work.one(RECORDINGS, { state: 'recording' });
    if (other)
      throw new ServiceError('RESOURCE_CONFLICT', `The recording ${other.name} is running. Stop it first.`, {
        details: { recordingId: other.id, reason: 'recording_running' },
      });
    work.insert(RECORDINGS, row);
    deps.audit(work, { actor, action: 'sandbox.recording_started', resource: `sandbox/recordings/${row.id}`, after: { name } });
  });
  deps.running.change(tenantId, row.id);
  return toRecording(row);
}

/** Returns true if requests of the tenant are being recorded. */
export async function isRecording(deps: RecorderDependencies, tenantId: string): Promise<boolean> {
  return (await runningId(deps, tenantId)) !== '';
}

/** Adds a step to the running recording. A failure is reported and does not concern the request. */
export async function recordRequest(deps: RecorderDependencies, tenantId: string, observed: ObservedRequest): Promise<void> {
  try {
    const id = await runningId(deps, tenantId);
    if (id === '') return;
    const { body, answer, ...rest } = observed;
    const step = JSON.stringify({ ...rest, body: observed.isOmitted ? null : storedRequest(body), answer: storedResponse(answer) });
    await deps.database.unitOfWork.transaction(tenantId, async (work) => {
      const row = await work.lockOne(RECORDINGS, { id });
      if (row?.state !== 'recording' || row.steps >= STEPS_MAX) return;
      work.insert(RECORDING_STEPS, { tenant_id: tenantId, recording_id: id, position: row.steps + 1, step });
      await work.update(RECORDINGS, { id }, { steps: row.steps + 1 });
    });
  } catch (error) {
    deps.report('a request could not be recorded', { cause: error instanceof Error ? error.message : String(error) });
  }
}

/** Stops a recording and writes its file. @throws ServiceError RESOURCE_CONFLICT if it is stopped. */
export async function stopRecording(deps: RecorderDependencies, actor: Actor, id: string): Promise<Recording> {
  const { started_ms: startMs } = await rowOf(deps, actor, id);
  const { tenantId } = actor;
  const merchants = await deps.merchantsOf(actor);
  const events = await deps.eventsSince(actor, isoTime(startMs), null);
  const stoppedAt = isoTime(await deps.timeOf(tenantId));
  const stopped = await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(RECORDINGS, { id });
    if (row?.state !== 'recording')
      throw new ServiceError('RESOURCE_CONFLICT', 'This recording is already stopped.', { details: { reason: 'recording_stopped' } });
    const steps = await work.find(RECORDING_STEPS, { recording_id: id }, { orderBy: [['position', 'asc']] });
    const observed = steps.map(({ step }) => JSON.parse(step) as ObservedRequest);
    const lines = linesOf(row, observed, events, merchants);
    await work.delete(RECORDING_STEPS, { recording_id: id });
    for (const [position, line] of lines.entries())
      work.insert(RECORDING_STEPS, { tenant_id: tenantId, recording_id: id, position, step: JSON.stringify(line) });
    const set = { state: 'stopped' as const, stopped_at: stoppedAt };
    await work.update(RECORDINGS, { id }, set);
    deps.audit(work, { actor, action: 'sandbox.recording_stopped', resource: `sandbox/recordings/${id}`, after: { steps: row.steps } });
    return { ...row, ...set };
  });
  deps.running.change(tenantId, '');
  return toRecording(stopped);
}

export async function listRecordings(deps: RecorderDependencies, actor: Actor, pageRequest: PageRequest): Promise<Page<Recording>> {
  deps.requireSandbox(actor);
  const page = await newestPage(deps.database.read(actor.tenantId), RECORDINGS, 'rcd', {}, pageRequest);
  return { ...page, items: page.items.map(toRecording) };
}

export async function getRecording(deps: RecorderDependencies, actor: Actor, id: string): Promise<Recording> {
  return toRecording(await rowOf(deps, actor, id));
}

/** Returns the lines of a stopped recording. @throws ServiceError RESOURCE_CONFLICT while it runs. */
export async function recordingLines(deps: RecorderDependencies, actor: Actor, id: string): Promise<readonly string[]> {
  const row = await rowOf(deps, actor, id);
  if (row.state === 'recording')
    throw new ServiceError('RESOURCE_CONFLICT', 'This recording is running. Stop it before you download it.', {
      details: { reason: 'recording_running' },
    });
  const steps = await deps.database.read(actor.tenantId).find(RECORDING_STEPS, { recording_id: id }, { orderBy: [['position', 'asc']] });
  return steps.map(({ step }) => step);
}

export async function removeRecording(deps: RecorderDependencies, actor: Actor, id: string): Promise<void> {
  await rowOf(deps, actor, id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.delete(RECORDING_STEPS, { recording_id: id });
    await work.delete(RECORDINGS, { id });
    deps.audit(work, { actor, action: 'sandbox.recording_deleted', resource: `sandbox/recordings/${id}` });
  });
  deps.running.delete(actor.tenantId);
}

const toRecording = ({ id, name, state, steps, created_by, created_at, stopped_at }: RecordingRow): Recording => ({
  id,
  name,
  state,
  steps,
  createdBy: created_by,
  createdAt: created_at,
  stoppedAt: stopped_at,
});

/** Returns the lines of the file. An event belongs to the last request that had begun before it. */
function linesOf(
  { name, started_ms: startMs }: RecordingRow,
  observed: readonly ObservedRequest[],
  events: readonly RecordedEvent[],
  merchants: Awaited<ReturnType<MerchantsOf>>,
): (HeaderLine | StepLine)[] {
  const names = new IdNames();
  for (const { merchantId } of merchants) names.nameOf(merchantId, 'mer');
  const start = startIn(zoneOf(merchants), startMs);
  const named = (value: unknown) => withPlaceholders(value, names, start);
  let next = 0;
  const steps = observed.map((step, index): StepLine => {
    const untilMs = observed[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const { atMs, operation, request, isOmitted, merchantId, params, query, body, idempotencyKey, status, answer } = step;
    // The order of names is that of their appearance: in the request, in the response, in the events.
    const line = {
      step: index + 1,
      afterSeconds: (atMs - startMs) / 1_000,
      request: named(request) as string,
      operation,
      ...(isOmitted ? { omitted: 'The request contains a secret, which is not recorded.' } : {}),
      merchant: merchantId === null ? null : names.nameOf(merchantId, 'mer'),
      params: named(params),
      query: named(query),
      body: named(body),
      idempotencyKey,
      status,
      answer: named(answer),
    };
    const own: { type: string; data: unknown }[] = [];
    for (; next < events.length && Date.parse(events[next]?.createdAt ?? '') < untilMs; next += 1) {
      const { type, data } = events[next] as RecordedEvent;
      own.push({ type, data: named(storedResponse(data)) });
    }
    return { ...line, events: own };
  });
  const startsAt = localTimeOf(zoneOf(merchants), start);
  const header: HeaderLine = { paydesk: 'recording', version: 1, name, startsAt, steps: steps.length };
  return [header, ...steps];
}
