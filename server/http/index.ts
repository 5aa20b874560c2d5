export { BODY_TIMEOUTS, keepBodyDeadlines } from './body-deadline.ts';
export { addCompactResponses } from './compact-responses.ts';
export { type Column, sendCsv, sendPages } from './csv.ts';
export { docUrlOf, type ErrorFormat, errorResponse, failure, toServiceError } from './envelope.ts';
export { hasProtectedValue, NOT_FREE_TEXT, refuseCardNumber } from './free-text.ts';
export { ZERO_ALLOWED } from './keywords.ts';
export { logOptions } from './log.ts';
export { methodsByPath } from './methods-by-path.ts';
export { inSdkNaming, pascal, schemaInSdkNaming } from './naming.ts';
export {
  Bare,
  CursorPaginated,
  Outcome,
  Paginated,
  PaginatedWith,
  Pagination,
  pageBody,
  paginationOf,
  type Reply,
  Success,
  SuccessOfEither,
  SuccessOrDeclined,
  SuccessWith,
  success,
  successBody,
} from './replies.ts';
export { keepKnownFields, nameIgnoredFields, readInput } from './request-input.ts';
export { type LoggedRequest, type OtherRequests, RequestLog } from './request-log.ts';
export { jsonWriterFor, responseBody, storedBody } from './response-body.ts';
export {
  isOpenByPin,
  isShown,
  type RateClass,
  type RecordExport,
  type Route,
  route,
  type Surface,
  statusOf,
  urlOf,
} from './route.ts';
export { SECURITY_HEADERS } from './security-headers.ts';
export { type StreamExchange, Streams } from './streams.ts';
export { knownFieldsOf, withoutShownObjects } from './unknown-fields.ts';
export { readUpload, receiveUpload, UPLOAD_LIMITS } from './upload.ts';
export { bodyText, check, parseJson } from './validation.ts';
export { VERSION } from './version.ts';
