export {
  getRecording,
  isRecording,
  listRecordings,
  type ObservedRequest,
  type RecorderDependencies,
  recordingLines,
  recordRequest,
  removeRecording,
  startRecording,
  stopRecording,
} from './recorder.ts';
export type { RecordedEvent } from './recording-file.ts';
export { type ReplayedRequest, type ReplayedResponse, replay } from './replay.ts';
export { RECORDING_STEPS, RECORDINGS } from './schema.ts';
