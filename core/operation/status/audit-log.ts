import type { Dependencies, StatusServer } from './dependencies.ts';
import { counted, durationText, fact, item } from './item.ts';
import type { StatusItem } from './records.ts';

const NAMES = { file: 'a file', syslog: 'a collector' };

/** Returns the item of the places that receive the audit log; none if there are none. */
export async function auditLogItem({ audit }: Dependencies, server: StatusServer): Promise<StatusItem[]> {
  const streams = (await server.auditStreams?.()) ?? [];
  if (streams.length === 0) return [];
  const facts = await Promise.all(
    streams.map(async ({ kind, place }) =>
      fact(kind === 'file' ? 'Not in the file' : 'Not sent', counted(await audit.streaming.waiting(place), 'entry', 'entries')),
    ),
  );
  const failed = streams.find(({ failure }) => failure !== null);
  if (failed?.failure) {
    const { reason, sinceMs } = failed.failure;
    const message = `The audit log has not been sent to ${NAMES[failed.kind]} for ${durationText(Date.now() - sinceMs)}: ${reason}`;
    return [item('audit-log', { state: 'problem', message }, facts)];
  }
  return [item('audit-log', { message: `The audit log is sent to ${streams.map(({ kind }) => NAMES[kind]).join(' and ')}.` }, facts)];
}
