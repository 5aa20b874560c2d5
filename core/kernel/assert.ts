/** Thrown when an invariant is violated, which is a programming error and never the caller's fault. The API returns it as INTERNAL_ERROR. */
class InvariantError extends Error {
  override name = 'InvariantError';
}

/** @throws InvariantError if an invariant is violated. For invalid input throw a ServiceError instead. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant);
}

/** Marks an unreachable branch. A new member of a union makes it a compile error. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`);
}
