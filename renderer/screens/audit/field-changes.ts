import type { AuditEntry } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';

/** A field of an entry as text; undefined if the record did not have it. */
export interface FieldChange {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the changed fields of an entry with their old and new values. A nested field has a path such as `address.city`. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): FieldChange[] {
  const oldFields = flatten(before ?? {});
  const newFields = flatten(after ?? {});
  const names = [...new Set([...oldFields.keys(), ...newFields.keys()])];
  return names
    .map((name) => ({ name, before: oldFields.get(name), after: newFields.get(name) }))
    .filter((change) => change.before !== change.after);
}

function flatten(fields: Fields, path = ''): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      isFields(value)
        ? [...flatten(value, `${path}${name}.`)]
        : [[`${path}${name}`, name === 'reason' ? reasonText(value) : valueText(value)]],
    ),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** A job gives its reason in English. */
const reasonText = (value: unknown): string => (typeof value === 'string' ? serviceText(value) : valueText(value));

function valueText(value: unknown): string {
  if (value === null || value === undefined) return t('none');
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) return value.join(', ');
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}
