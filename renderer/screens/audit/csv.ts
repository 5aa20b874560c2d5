import type { AuditEntry } from '#renderer/client';

const COLUMNS = ['id', 'at', 'actor', 'action', 'resource', 'before', 'after', 'ip', 'requestId', 'hash', 'previousHash'] as const;
/** As in the files of the server: a sign of a formula or a separator, also after characters that are not visible. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@;\uFF1D\uFF0B\uFF0D\uFF20\uFF1B])/u;

/** Entries as CSV (RFC 4180). What a spreadsheet would take for a formula is marked as text. */
export function csvOf(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((name) => cell(entry[name])).join(','));
  return `${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`;
}

function cell(value: AuditEntry[(typeof COLUMNS)[number]]): string {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
