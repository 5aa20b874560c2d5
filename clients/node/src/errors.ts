import { ERROR_CLASSES, type ErrorCode } from './generated/error-classes.ts';
import { type ErrorBody, PaydeskError } from './paydesk-error.ts';

/** A declined payment or refund. The record exists: `data` is the declined transaction or refund. */
export class DeclinedError extends PaydeskError {
  override readonly name = 'DeclinedError';
  /** The declined transaction or refund. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Reason as the processor gives it, such as `insufficient_funds`. */
  readonly declineCode: string | undefined;

  constructor(data: Readonly<Record<string, unknown>>, status: number, requestId: string | null) {
    const { errorCode = data.ErrorCode, declineCode = data.DeclineCode, declineReason = data.DeclineReason } = data;
    const reason = declineReason ?? declineCode ?? 'no reason given';
    super({ code: String(errorCode ?? 'TRANSACTION_DECLINED'), message: `Declined: ${String(reason)}` }, status, requestId);
    this.data = data;
    this.declineCode = typeof declineCode === 'string' ? declineCode : undefined;
  }
}

/** An operation that waits for the approval of a second person. Nothing was done yet. */
export class ApprovalRequiredError extends PaydeskError {
  override readonly name = 'ApprovalRequiredError';
  /** ID of the approval, under which its status and later its result can be read. */
  readonly approvalId: string;
  /** The response: the approval and when it expires. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(data: Readonly<Record<string, unknown>>, requestId: string | null) {
    super({ code: 'APPROVAL_REQUIRED', message: 'A second person must approve the operation. Nothing was done yet.' }, 202, requestId);
    this.approvalId = String(data.approvalId ?? data.ApprovalId);
    this.data = data;
  }
}

/** No response arrived, or one that is not from Paydesk. The outcome of a change is unknown: repeat it with the same idempotency key. */
export class ConnectionError extends PaydeskError {
  override readonly name = 'ConnectionError';

  constructor(message: string, status: number, requestId: string | null, cause?: unknown) {
    super({ code: 'CONNECTION_FAILED', message }, status, requestId, { cause });
  }
}

/** Returns the error of a response as an instance of the class of its code, or of PaydeskError for a code that this version does not know. */
export function errorOf(error: ErrorBody, status: number, requestId: string | null): PaydeskError {
  const Known = Object.hasOwn(ERROR_CLASSES, error.code) ? ERROR_CLASSES[error.code as ErrorCode] : PaydeskError;
  return new Known(error, status, requestId);
}
