import { type ErrorCode, ServiceError, type StoredResponse } from '#core/kernel';
import { inPlainNaming, inSdkNaming, pascal } from './naming.ts';
import type { Route } from './route.ts';
import type { SentNames } from './unknown-fields.ts';

/** Returns the address of the page that explains an error code, relative to the address of the server. */
export const docUrlOf = (code: ErrorCode): string => `/docs/errors/${code}`;

/** Parts of a route that determine how its errors are written. */
export type ErrorFormat = Partial<Pick<Route, 'fields' | 'surface'>> & { readonly sentNames?: SentNames | null };

/** Returns the error envelope, with field names as the caller sent them and `details` in the naming of the surface. */
export function failure(error: ServiceError, { fields = {}, surface, sentNames }: ErrorFormat = {}) {
  const field = error.field === undefined || sentNames === null ? error.field : sentField(error.field, fields, surface, sentNames);
  return {
    success: false as const,
    error: {
      code: error.code,
      message: field === undefined ? error.message : error.message.replaceAll(`\`${error.field}\``, `\`${field}\``),
      ...(field === undefined ? {} : { field }),
      ...(error.details === undefined ? {} : { details: surface === 'sdk' ? inSdkNaming(error.details) : inPlainNaming(error.details) }),
      docUrl: docUrlOf(error.code),
    },
  };
}

/** Returns a field as the caller sent it. */
function sentField(coreField: string, fields: Fields, surface: ErrorFormat['surface'], sentNames?: SentNames): string {
  const documented = documentedField(coreField, fields, surface);
  return sentNames === undefined ? documented : sentNames.nameOf(documented);
}

type Fields = Readonly<Record<string, string>>;

/** Returns a field as the surface documents it: `LineItems.0.Quantity` of the SDK surface for `lineItems.0.quantity`. */
function documentedField(coreField: string, fields: Fields, surface: ErrorFormat['surface']): string {
  const nameOf = (path: string) => (Object.hasOwn(fields, path) ? fields[path] : undefined);
  const [list = '', ...rest] = coreField.split('.');
  const sentList = nameOf(list);
  const sentRest = surface === 'sdk' ? rest.map(pascal) : rest;
  return nameOf(coreField) ?? (sentList === undefined ? coreField : [sentList, ...sentRest].join('.'));
}

export function errorResponse(error: ServiceError, format?: ErrorFormat): StoredResponse {
  return { status: error.status, body: JSON.stringify(failure(error, format)) };
}

/** Messages of the form parser, whose errors have no code. */
const FORM_FAULT = /^(Unexpected end of |Part terminated early|Malformed part header|Multipart: Boundary not found)/;

interface HttpFault {
  readonly statusCode?: number;
  readonly code?: string;
  readonly message?: string;
}

/** Returns true if the system refused a file or a connection because the process or the computer has too many open ones. */
function hasNoDescriptor(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE' || hasNoDescriptor(error.cause);
}

/**
 * Translates any error for the caller: service errors stay unchanged, HTTP errors become errors of the API, and everything else becomes
 * INTERNAL_ERROR.
 */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const { statusCode, code, message } = thrown as HttpFault;
  if (statusCode === 413) return new ServiceError('VALIDATION_ERROR', 'The body is larger than 1 MiB.', { status: 413, cause: thrown });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ServiceError('VALIDATION_ERROR', 'Send the body as application/json.', { field: 'Content-Type', cause: thrown });
  }
  if (code === 'FST_ERR_BAD_URL')
    return new ServiceError('VALIDATION_ERROR', 'The path is malformed: two hexadecimal digits must follow each %.', { cause: thrown });
  if (FORM_FAULT.test(message ?? ''))
    return new ServiceError('VALIDATION_ERROR', 'The form is incomplete or malformed.', { cause: thrown });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError('VALIDATION_ERROR', 'The body must be a JSON object.', { cause: thrown });
  }
  if (hasNoDescriptor(thrown))
    return new ServiceError('SERVICE_UNAVAILABLE', 'The server has too many open files and connections. Nothing was changed. Try again.', {
      cause: thrown,
    });
  return new ServiceError('INTERNAL_ERROR', 'An internal error occurred. The log contains its details under the request ID.', {
    cause: thrown,
  });
}
