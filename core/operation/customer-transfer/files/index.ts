import type { ExternalId } from '#core/sales/customers';
import { containsCardNumber } from '#shared/card-numbers';
import { entriesOf, type Layout, layoutOf, membersOf, type Source } from './layouts.ts';
import { FileFault, type RawRecord } from './raw-record.ts';
import { rawRecords } from './raw-records.ts';
import { type CheckedRecord, checkRecord, NO_EXTRA, type RecordExtra, type RecordRules } from './record.ts';

export { FileFault } from './raw-record.ts';
export type { ImportRecord, Reason, RecordRules } from './record.ts';

/** Marks the first line of Paydesk's own files in JSON Lines. */
export const OWN_FORMAT = 'paydesk-customers';
export const OWN_VERSION = 1;

/** A checked record with its line in the file, and the provider that wrote the file. */
interface FileRecord extends CheckedRecord {
  readonly line: number;
  readonly provider: Source;
}

/** Reads a file of customers whose layout is recognized by its content, in bounded memory. @throws FileFault if the file as a whole is unreadable. */
export async function* readCustomers(bytes: AsyncIterable<Uint8Array>, rules: RecordRules): AsyncGenerator<FileRecord> {
  let layout: Layout | null = null;
  /** Lines before the layout was recognized that are unreadable by themselves. */
  const early: number[] = [];
  for await (const raw of rawRecords(bytes)) {
    if ('fault' in raw) {
      if (layout === null) early.push(raw.line);
      else yield { line: raw.line, provider: layout.source, record: null, reason: 'unreadable' };
      if (early.length > 100) break;
      continue;
    }
    layout ??= recognized(raw);
    const provider = layout.source;
    for (const line of early.splice(0)) yield { line, provider, record: null, reason: 'unreadable' };
    if ('cells' in raw) yield { line: raw.line, provider, ...checkRecord(layout, raw.cells, rules, NO_EXTRA) };
    else if (raw.value.format === OWN_FORMAT) {
      if (raw.value.version !== OWN_VERSION) throw new FileFault(raw.line, 'only version 1 of this layout can be read');
    } else
      for (const entry of entriesOf(layout, raw.value))
        yield { line: raw.line, provider, ...checkRecord(layout, entry, rules, provider === 'paydesk' ? extraOf(raw.value) : NO_EXTRA) };
  }
  if (layout === null) throw new FileFault(early[0] ?? 1, 'the file has no customers in a known layout');
}

function recognized(raw: Exclude<RawRecord, { fault: string }>): Layout {
  const names = 'cells' in raw ? new Set(raw.cells.keys()) : namesOf(raw.value);
  const layout = layoutOf(names);
  if (layout === null)
    throw new FileFault(
      raw.line,
      'the layout is unknown. Files of Authorize.Net, NMI, Stripe and Paydesk are recognized by the names of their columns',
    );
  return layout;
}

function namesOf(value: Readonly<Record<string, unknown>>): Set<string> {
  return new Set(membersOf(value).keys());
}

const EXTERNAL_IDS_MAX = 20;

/** Returns the identifiers and metadata of a record in Paydesk's own layout. */
function extraOf({ externalIds, metadata }: Readonly<Record<string, unknown>>): RecordExtra {
  const ids = Array.isArray(externalIds) ? externalIds.slice(0, EXTERNAL_IDS_MAX).filter(isExternalId) : [];
  const text = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? JSON.stringify(metadata) : '';
  const isKept = text !== '' && text.length <= 4_096 && !text.includes('\\u0000') && !containsCardNumber(text);
  return {
    externalIds: ids.map(({ source, id }) => ({ source, id })),
    metadata: isKept ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
}

function isExternalId(value: unknown): value is ExternalId {
  const { source, id } = (value ?? {}) as Partial<ExternalId>;
  const isName = typeof source === 'string' && /^[a-z0-9_-]{1,40}$/.test(source);
  return isName && typeof id === 'string' && id !== '' && id.length <= 100 && !containsCardNumber(id) && id.isWellFormed();
}
