/** Rights of a person, and of an API key: permissions for one merchant, or for all with null. */
export interface Rights {
  readonly permissions: Iterable<string>;
  readonly merchantId: string | null;
}

/** Returns true if an API key may do nothing that a person may not do. Nothing is within the rights of a removed person (null). */
export function isWithinRights(key: Rights, person: Rights | null): boolean {
  if (person === null || (person.merchantId !== null && key.merchantId !== person.merchantId)) return false;
  const held = new Set(person.permissions);
  return [...key.permissions].every((permission) => held.has(permission));
}
