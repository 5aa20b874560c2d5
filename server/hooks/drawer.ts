import type { FastifyRequest } from 'fastify';
import { isStorable, ServiceError } from '#core/kernel';
import { refuseCardNumber } from '#server/http';

const HEADER = 'Paydesk-Drawer';
const DRAWER_MAX = 40;

/** Returns the cash drawer that a request names, in percent-encoding; null if it names none. @throws ServiceError VALIDATION_ERROR. */
export function readDrawer({ headers }: FastifyRequest): string | null {
  const sent = headers[HEADER.toLowerCase()];
  if (sent === undefined || sent === '') return null;
  const drawer = decoded(String(sent)).trim();
  if (drawer.length < 1 || drawer.length > DRAWER_MAX || !isStorable(drawer))
    throw new ServiceError('VALIDATION_ERROR', `\`${HEADER}\` must be a percent-encoded name of 1 to ${DRAWER_MAX} characters.`, {
      field: HEADER,
    });
  refuseCardNumber(drawer, HEADER);
  return drawer;
}

/** Returns an empty text, which is no name, if the encoding is wrong. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
