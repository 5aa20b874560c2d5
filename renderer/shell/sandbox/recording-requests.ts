import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, requestFile, takeData, takePage } from '#renderer/base/client';
import { saveAs } from '#renderer/session/download';

const REFRESH_EVERY_MS = 2_000;

/** The newest recording of the account, which counts its steps while it runs. */
export const newestRecordingQuery = queryOptions({
  queryKey: ['sandbox', 'recordings'],
  queryFn: async () => (await takePage(api.GET('/api/v1/sandbox/recordings', { params: { query: { limit: 1 } } }))).items[0] ?? null,
  refetchInterval: ({ state }) => (state.data?.state === 'recording' ? REFRESH_EVERY_MS : false),
});

export type Recording = NonNullable<Awaited<ReturnType<NonNullable<typeof newestRecordingQuery.queryFn>>>>;

const refresh = () => queryClient.invalidateQueries({ queryKey: newestRecordingQuery.queryKey });

export async function startRecording(name: string) {
  await takeData(api.POST('/api/v1/sandbox/recordings', { body: { name } }));
  await refresh();
}

export async function stopRecording(id: string) {
  await takeData(api.POST('/api/v1/sandbox/recordings/{id}/stop', { params: { path: { id } } }));
  await refresh();
}

export async function downloadRecording({ id, name }: { readonly id: string; readonly name: string }) {
  const file = await requestFile(`/api/v1/sandbox/recordings/${encodeURIComponent(id)}/file`);
  saveAs(await file.blob(), `${name.replaceAll(/[^\w -]/g, '_')}.jsonl`);
}

/** Replays a file; with `isReset`, the data of the account is deleted first. */
export function replayFile(file: File, isReset: boolean) {
  const reset = isReset ? 'true' : 'false';
  const form = new FormData();
  form.set('reset', reset);
  form.set('file', file);
  return takeData(api.POST('/api/v1/sandbox/replays', { body: { file: file.name, reset }, bodySerializer: () => form }));
}

export type ReplayReport = Awaited<ReturnType<typeof replayFile>>;
