import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { RECORDING_STEPS, RECORDINGS } from '../../../core/operation/sandbox/recorder/schema.ts';
import { type LiveCore, openLiveCore } from '../../support/live-core.ts';

let live: LiveCore | undefined;
afterEach(async () => {
  await live?.close();
  live = undefined;
});

test('nothing of a live tenant is recorded, not even while its tables contain a running recording', async () => {
  live = await openLiveCore();
  const { core, database, actor } = live;
  const { tenantId } = actor;
  const { recordings } = core.sandbox;
  const refusal = expect.objectContaining({ code: 'NOT_FOUND' });
  await expect(recordings.start(actor, 'Live')).rejects.toEqual(refusal);
  expect(() => core.sandbox.replay(actor, Readable.from(['{}']), true, async () => ({ status: 200, answer: {} }))).toThrow(refusal);

  const now = Date.now();
  const planted = {
    tenant_id: tenantId,
    id: 'rcd_planted',
    name: 'Planted',
    state: 'recording' as const,
    steps: 0,
    started_ms: now,
    created_by: 'test',
    created_at: new Date(now).toISOString(),
    stopped_at: null,
  };
  await database.unitOfWork.transaction(tenantId, async (work) => work.insert(RECORDINGS, planted));
  expect(await recordings.isRecording(tenantId)).toBe(false);
  await recordings.record(tenantId, {
    atMs: now,
    operation: 'public.createTransaction',
    request: 'POST /api/v1/public/transaction',
    merchantId: null,
    params: {},
    query: {},
    body: { CardNumber: '4111111111111111' },
    idempotencyKey: null,
    status: 200,
    answer: {},
    isOmitted: false,
  });
  expect(await database.read(tenantId).find(RECORDING_STEPS, {})).toEqual([]);
  for (const refused of [recordings.get(actor, planted.id), recordings.lines(actor, planted.id), recordings.stop(actor, planted.id)])
    await expect(refused).rejects.toEqual(refusal);
});
