import type { FastifyRequest } from 'fastify';
import { isStorable, ServiceError } from '#core/kernel';
import { refuseCardNumber } from '#server/http';

const DRAWER = 'Paydesk-Drawer';
const DRAWER_MAX = 40;
const APPROVAL_REASON = 'Paydesk-Approval-Reason';
const REASON_MAX = 200;

/** Returns the cash drawer that a request names, in percent-encoding; null if it names none. @throws ServiceError VALIDATION_ERROR. */
export function readDrawer({ headers }: FastifyRequest): string | null {
  const sent = headers[DRAWER.toLowerCase()];
  if (sent === undefined || sent === '') return null;
  const drawer = decoded(String(sent), DRAWER_MAX);
  if (drawer === null)
    throw new ServiceError('VALIDATION_ERROR', `\`${DRAWER}\` must be a percent-encoded name of 1 to ${DRAWER_MAX} characters.`, {
      field: DRAWER,
    });
  refuseCardNumber(drawer, DRAWER);
  return drawer;
}

/**
 * Returns the reason that a request gives to its approver; empty if the caller wants to be asked for one, null without the header.
 * @throws ServiceError VALIDATION_ERROR.
 */
export function readApprovalReason({ headers }: FastifyRequest): string | null {
  const sent = headers[APPROVAL_REASON.toLowerCase()];
  if (sent === undefined) return null;
  if (sent === '') return '';
  const reason = decoded(String(sent), REASON_MAX);
  if (reason === null || /[\p{Cc}\u2028\u2029]/u.test(reason))
    throw new ServiceError('VALIDATION_ERROR', `\`${APPROVAL_REASON}\` must be a percent-encoded line of 1 to ${REASON_MAX} characters.`, {
      field: APPROVAL_REASON,
    });
  refuseCardNumber(reason, APPROVAL_REASON);
  return reason;
}

/** Returns the text of a header; null if its encoding is wrong, or if it is empty or too long. */
function decoded(sent: string, lengthMax: number): string | null {
  try {
    const text = decodeURIComponent(sent).trim();
    return text.length >= 1 && text.length <= lengthMax && isStorable(text) ? text : null;
  } catch {
    return null;
  }
}
