import type { AuditEntry } from '#renderer/client';

/** A field of an entry as text; undefined if the record did not have it. */
export interface FieldChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an entry with what they were and what they are; a field within a field by both names, with a dot between. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): FieldChange[] {
  const was = flat(before ?? {});
  const is = flat(after ?? {});
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.map((name) => ({ name, before: was.get(name), after: is.get(name) })).filter((change) => change.before !== change.after);
}

function flat(fields: Fields, path = ''): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      isFields(value) ? [...flat(value, `${path}${name}.`)] : [[`${path}${name}`, textOf(value)]],
    ),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) return value.join(', ');
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
