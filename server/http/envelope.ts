import { ServiceError, type StoredResponse } from '#core/kernel';
import type { Route } from './route.ts';
import { inPlainNaming, inSdkNaming } from './spelling.ts';

/** The success envelope (specification 2.1). */
export function success(data: unknown): { success: true; data: unknown } {
  return { success: true, data };
}

/** The parts of a route that decide how its errors are written. */
export type Spelling = Partial<Pick<Route, 'fields' | 'surface'>>;

/** The error envelope (specification 7.1), with fields spelled as the caller sent them and details as the surface spells `data`. */
export function failure(error: ServiceError, { fields = {}, surface }: Spelling = {}) {
  const { field: named } = error;
  const field = named !== undefined && Object.hasOwn(fields, named) ? fields[named] : named;
  return {
    success: false as const,
    error: {
      code: error.code,
      message: error.message,
      ...(field === undefined ? {} : { field }),
      ...(error.details === undefined ? {} : { details: surface === 'sdk' ? inSdkNaming(error.details) : inPlainNaming(error.details) }),
    },
  };
}

export function failureAnswer(error: ServiceError, spelling?: Spelling): StoredResponse {
  return { status: error.status, body: JSON.stringify(failure(error, spelling)) };
}

/** Messages of the parser of forms, whose errors have no code. */
const FORM_FAULT = /^(Unexpected end of |Part terminated early|Malformed part header|Multipart: Boundary not found)/;

interface HttpFault {
  readonly statusCode?: number;
  readonly code?: string;
  readonly message?: string;
}

/**
 * Translates any error for the caller: service errors unchanged, HTTP errors in the terms of the contract, and everything else as
 * INTERNAL_ERROR.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { statusCode, code, message } = thrown as HttpFault;
  if (statusCode === 413) return new ServiceError('VALIDATION_ERROR', 'The body is larger than 1 MiB.', { status: 413, cause: thrown });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ServiceError('VALIDATION_ERROR', 'Send the body as application/json.', { field: 'Content-Type', cause: thrown });
  }
  if (FORM_FAULT.test(message ?? ''))
    return new ServiceError('VALIDATION_ERROR', 'The form is incomplete or malformed.', { cause: thrown });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError('VALIDATION_ERROR', 'The request cannot be read: the body must be a JSON object.', { cause: thrown });
  }
  return new ServiceError('INTERNAL_ERROR', 'An internal error occurred. The log contains its details under the request ID.', {
    cause: thrown,
  });
}
