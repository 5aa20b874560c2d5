import type { ExternalId } from '#core/sales/customers';
import { containsCardNumber } from '#shared/card-numbers';
import { type CustomerMapping, entriesOf, type Layout, layoutOf, mappedLayout, membersOf, type Source } from './layouts.ts';
import { FileFault, plainName, type RawRecord, unknownLayout } from './raw-record.ts';
import { rawRecords } from './raw-records.ts';
import { type CheckedRecord, checkRecord, NO_EXTRA, type RecordExtra, type RecordRules } from './record.ts';

export { type CustomerMapping, MAPPED_FIELDS } from './layouts.ts';
export { FileFault } from './raw-record.ts';
export type { ImportRecord, Reason, RecordRules } from './record.ts';

/** Marks the first line of Paydesk's own files in JSON Lines. */
export const OWN_FORMAT = 'paydesk-customers';
export const OWN_VERSION = 1;

/** A checked record with its line in the file, and the provider that wrote the file. */
export interface FileRecord extends CheckedRecord {
  readonly line: number;
  readonly provider: Source;
  /** Names of the columns of the file that are not read. */
  readonly ignoredColumns: readonly string[];
}

const UNREADABLE = { record: null, reason: 'unreadable', person: null } as const;

/**
 * Reads a file of customers in bounded memory. Its layout is that of the mapping, or is recognized by its content. @throws FileFault if the file as a
 * whole is unreadable.
 */
export async function* readCustomers(
  bytes: AsyncIterable<Uint8Array>,
  rules: RecordRules,
  mapping?: CustomerMapping,
): AsyncGenerator<FileRecord> {
  const mapped = mapping === undefined ? null : mappedLayout(mapping);
  const find = (names: ReadonlySet<string>): Layout | null => {
    if (mapped === null) return layoutOf(names);
    return mapped.marks[0]?.every((name) => names.has(name)) ? mapped : null;
  };
  let layout: Layout | null = null;
  let ignoredColumns: readonly string[] = [];
  /** Lines before the layout was recognized that are unreadable by themselves. */
  const early: number[] = [];
  for await (const raw of rawRecords(bytes, (names) => find(names) !== null)) {
    if ('fault' in raw) {
      if (layout === null) early.push(raw.line);
      else yield { line: raw.line, provider: layout.source, ignoredColumns, ...UNREADABLE };
      if (early.length > 100) break;
      continue;
    }
    if (layout === null) {
      layout = recognized(raw, find);
      ignoredColumns = 'cells' in raw ? ignoredOf(layout, raw.header) : [];
    }
    const provider = layout.source;
    for (const line of early.splice(0)) yield { line, provider, ignoredColumns, ...UNREADABLE };
    if ('cells' in raw) yield { line: raw.line, provider, ignoredColumns, ...checkRecord(layout, raw.cells, rules, NO_EXTRA) };
    else if (raw.value.format === OWN_FORMAT) {
      if (raw.value.version !== OWN_VERSION) throw new FileFault(raw.line, 'only version 1 of this layout can be read');
    } else
      for (const entry of entriesOf(layout, raw.value))
        yield {
          line: raw.line,
          provider,
          ignoredColumns,
          ...checkRecord(layout, entry, rules, provider === 'paydesk' ? extraOf(raw.value) : NO_EXTRA),
        };
  }
  if (layout === null) throw new FileFault(early[0] ?? 1, 'the file has no customers in a known layout');
}

const IGNORED_MAX = 50;

function ignoredOf({ fields }: Layout, header: readonly string[]): string[] {
  const read = new Set(Object.values(fields).flat());
  return header.filter((name) => name !== '' && !read.has(plainName(name))).slice(0, IGNORED_MAX);
}

function recognized(raw: Exclude<RawRecord, { fault: string }>, find: (names: ReadonlySet<string>) => Layout | null): Layout {
  const layout = find(new Set('cells' in raw ? raw.cells.keys() : membersOf(raw.value).keys()));
  if (layout === null) throw unknownLayout(raw.line);
  return layout;
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
