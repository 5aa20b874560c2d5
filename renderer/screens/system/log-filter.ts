import type { LogLine } from '#renderer/desktop/bridge';

const ORDER: readonly LogLine['level'][] = ['debug', 'info', 'warn', 'error'];

/** Returns true if a line contains the text and has at least the level. */
export function matchesFilter({ level, text, detail }: LogLine, searchText: string, minimumLevel: string | undefined): boolean {
  const floor = ORDER.indexOf((minimumLevel ?? 'debug') as LogLine['level']);
  return ORDER.indexOf(level) >= floor && `${text}\n${detail}`.toLowerCase().includes(searchText.trim().toLowerCase());
}
