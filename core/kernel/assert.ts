/** A broken invariant: a programming error, never the caller's. It aborts its work and is returned as INTERNAL_ERROR. */
export class InvariantError extends Error {
  override name = 'InvariantError';
}

/** Stops the present work when an invariant does not hold. For bad input throw a ServiceError instead. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant);
}

/** Marks the branch that cannot be reached; a new member of a union makes it a compile error. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`);
}
