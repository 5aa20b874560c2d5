import { ServiceError } from '#core/kernel';

/**
 * Returns the cursor of a page request; undefined without one. A cursor that no page returned, such as a truncated one, is refused, because the first
 * page in its place would make a client read the list forever. @throws ServiceError VALIDATION_ERROR.
 */
export function cursorOf({ cursor }: { readonly cursor?: string }, isValid: (cursor: string) => boolean): string | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  if (isValid(cursor)) return cursor;
  throw new ServiceError('VALIDATION_ERROR', '`cursor` must be the `nextCursor` of the page before.', { field: 'cursor' });
}
