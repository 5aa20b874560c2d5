import { Cache } from '#core/database';
import { bind } from '#core/kernel';
import {
  addSampleHistory,
  eventsSince,
  getTier,
  listMessages,
  raiseChargeback,
  replayRecording,
  resetSandbox,
  returnBankPayment,
  setTier,
} from './account.ts';
import { getClock, moveClock } from './clock.ts';
import { type Dependencies, requireSandbox, type SandboxDependencies } from './dependencies.ts';
import { getGatewayMode, presentToReader, readerScreen, setGatewayMode } from './processor.ts';
import {
  getRecording,
  isRecording,
  listRecordings,
  RECORDING_STEPS,
  RECORDINGS,
  type RecorderDependencies,
  recordingLines,
  recordRequest,
  removeRecording,
  startRecording,
  stopRecording,
} from './recorder/index.ts';

export type { ClockMove } from './clock.ts';
export type { ObservedRequest, ReplayedRequest, ReplayedResponse } from './recorder/index.ts';
export {
  Chargeback,
  Recording,
  ReplayReport,
  SandboxClock,
  SandboxClockMove,
  SandboxGatewayMode,
  SandboxMessage,
  SandboxTier,
} from './records.ts';

export const TABLES = [RECORDINGS, RECORDING_STEPS];

/** Tools of a sandbox tenant. On a live tenant each throws NOT_FOUND. */
export function createSandbox(given: SandboxDependencies) {
  const deps: Dependencies = { ...given, pendingMoves: new Map() };
  const { database, tenants, merchantsOf, audit, report, gateway } = deps;
  const recorder: RecorderDependencies = {
    database,
    running: new Cache(database, 'recordings'),
    timeOf: tenants.timeOf,
    isSandbox: (tenantId) => tenants.environmentOf(tenantId) === 'sandbox',
    merchantsOf,
    ...bind(deps, { requireSandbox, eventsSince }),
    audit,
    report,
  };
  return {
    recordings: {
      ...bind(recorder, { start: startRecording, stop: stopRecording, isRecording, record: recordRequest, remove: removeRecording }),
      ...bind(recorder, { page: listRecordings, get: getRecording, lines: recordingLines }),
    },
    ...bind(deps, { replay: replayRecording, clock: getClock, moveClock, messages: listMessages, tier: getTier, setTier }),
    ...bind(deps, { gatewayMode: getGatewayMode, setGatewayMode, readerScreen, presentToReader }),
    /** Returns a payment page of the sandbox processor. @throws ServiceError NOT_FOUND. */
    hostedPage: gateway.hostedPage,
    /** Pays a payment page of the sandbox processor, as a payer does. */
    payHostedPage: gateway.payHostedPage,
    ...bind(deps, { raiseChargeback, returnBankPayment, addSampleHistory, reset: resetSandbox }),
  };
}
