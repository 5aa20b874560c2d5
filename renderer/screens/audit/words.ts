import type { AuditEntry } from '#renderer/client';
import { sentenceCase } from '#renderer/ui';

/** `branding.updated` → "Branding updated". */
export function actionText(action: string): string {
  return sentenceCase(action.replaceAll('.', ' '));
}

/** The screen that shows a thing, by the path that the log names it by. */
const SCREENS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^transactions\/(txn_\w+)/, (id) => `/transactions/${id}`],
  [/^webhooks\/(whe_\w+)/, (id) => `/webhooks/${id}`],
  [/^refund-decline-queue\/(rdq_\w+)/, (id) => `/refund-queue/${id}`],
  [/^merchants\/mer_\w+\/branding/, () => '/settings/branding'],
  [/^merchants\/mer_\w+\/vt-settings/, () => '/settings/terminal'],
  [/^merchants\/mer_\w+\/fraud-settings/, () => '/settings/fraud'],
  [/^merchants\/mer_\w+\/gateway-routing/, () => '/settings/routing'],
  [/^merchants\/mer_\w+\/gateways/, () => '/settings/gateways'],
  [/^merchants\//, () => '/settings'],
  [/^users/, () => '/users'],
  [/^roles/, () => '/users/roles'],
  [/^api-keys/, () => '/api-keys'],
  [/^user-sessions/, () => '/audit/sessions'],
];

export function screenOf(resource: string): string | undefined {
  for (const [pattern, to] of SCREENS) {
    const found = pattern.exec(resource);
    if (found) return to(found[1] ?? '');
  }
  return undefined;
}

/** A field that an entry tells of. */
export interface FieldChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === null || value === undefined ? 'none' : JSON.stringify(value);

/** The fields of an entry with what they were and what they are. */
export function changesOf({ before, after }: AuditEntry): FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => ({
    name,
    before: before && name in before ? textOf(before[name]) : undefined,
    after: after && name in after ? textOf(after[name]) : undefined,
  }));
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Electron\//, 'Paydesk'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
  [/^node/i, 'Node.js'],
] as const;
const SYSTEMS = [
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Linux/, 'Linux'],
] as const;

/** A program as it named itself, in two words. */
export function deviceText(agent: string | null): string {
  if (agent === null) return 'Unknown';
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  return [browser, system].filter(Boolean).join(' on ') || agent.slice(0, 40);
}

const DANGEROUS = /^[=+\-@\t\r\n]/;
const cell = (value: string) => `"${(DANGEROUS.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** RFC 4180; what a spreadsheet would take for a formula is marked as text. */
export function csvOf(entries: readonly AuditEntry[]): string {
  const head = ['id', 'at', 'actor', 'action', 'resource', 'before', 'after', 'ip', 'requestId', 'hash', 'previousHash'] as const;
  const rows = entries.map((entry) => head.map((name) => cell(entry[name] === null ? '' : textOf(entry[name]))).join(','));
  return `${[head.join(','), ...rows].join('\r\n')}\r\n`;
}
