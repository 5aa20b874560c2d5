import type { LogLine } from '#renderer/desktop';

const ORDER: readonly LogLine['level'][] = ['debug', 'info', 'warn', 'error'];

/** Whether a line holds the text, wherever, and is at least of the level. */
export function showsLine({ level, text, detail }: LogLine, wanted: string, least: string | undefined): boolean {
  const floor = ORDER.indexOf((least ?? 'debug') as LogLine['level']);
  return ORDER.indexOf(level) >= floor && `${text}\n${detail}`.toLowerCase().includes(wanted.trim().toLowerCase());
}
