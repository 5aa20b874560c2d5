const TEXT_MAX = 100;

/**
 * Returns a record of a list with the fields that an agent needs to choose one: those with a value, and of the objects in it those with a value. Arrays
 * of objects are replaced by their length, and long texts are cut. The tool that reads one record returns all of it.
 */
export function shortRecord(record: object): Record<string, unknown> {
  return fieldsOf(record, (value) => (isObject(value) ? fieldsOf(value, short) : short(value)));
}

/** Returns the fields of an object that have a value after `change`. */
function fieldsOf(record: object, change: (value: unknown) => unknown): Record<string, unknown> {
  const fields = Object.entries(record).map(([name, value]) => [name, change(value)] as const);
  return Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)));
}

function short(value: unknown): unknown {
  if (typeof value === 'string' && value.length > TEXT_MAX) return `${value.slice(0, TEXT_MAX)}…`;
  if (Array.isArray(value) && value.some((each) => typeof each === 'object')) return `${value.length} entries`;
  return isObject(value) ? undefined : value;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
