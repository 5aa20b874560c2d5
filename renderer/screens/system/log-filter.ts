import type { LogLine } from '#renderer/desktop';

const ORDER: readonly LogLine['level'][] = ['debug', 'info', 'warn', 'error'];

/** Returns true if a line contains the text and has at least the level. */
export function showsLine({ level, text, detail }: LogLine, wanted: string, least: string | undefined): boolean {
  const floor = ORDER.indexOf((least ?? 'debug') as LogLine['level']);
  return ORDER.indexOf(level) >= floor && `${text}\n${detail}`.toLowerCase().includes(wanted.trim().toLowerCase());
}
