import { ServiceError } from '#core/kernel';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { isAllowedAddress } from './networks.ts';

/** A credential as the check of its address sees it. */
export interface LimitedCredential {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly name: string;
  readonly merchantId: string | null;
  readonly kind: string;
  readonly allowedAddresses: readonly string[];
}

/** Refusals of one credential from one address have one entry in this time. */
const RECORDED_EVERY_MS = 3_600_000;
const REMEMBERED_MAX = 1_000;

/** Checks that a credential is used from one of its addresses. @throws ServiceError PERMISSION_DENIED with `details.reason` `address`. */
export async function checkAddress(
  { database, audit, caches: { refusedAddresses } }: Dependencies,
  { tenantId, credentialId, name, merchantId, kind, allowedAddresses }: LimitedCredential,
  { ip, requestId, userAgent }: Omit<LoginContext, 'kind'>,
): Promise<void> {
  if (isAllowedAddress(allowedAddresses, ip)) return;
  const isKey = kind === 'api-key';
  const refusal = `${credentialId} ${ip}`;
  const now = performance.now();
  if (now - (refusedAddresses.get(refusal) ?? Number.NEGATIVE_INFINITY) > RECORDED_EVERY_MS) {
    if (refusedAddresses.size >= REMEMBERED_MAX) refusedAddresses.clear();
    refusedAddresses.set(refusal, now);
    const actor = { tenantId, credentialId, name, ip, requestId, userAgent };
    const resource = `${isKey ? 'api-keys' : 'users'}/${credentialId}`;
    await database.unitOfWork.transaction(tenantId, async (work) =>
      audit(work, { actor, action: 'address.refused', resource, merchantId }),
    );
  }
  throw new ServiceError(
    'PERMISSION_DENIED',
    `${isKey ? 'This API key' : 'Your role'} does not accept requests from ${ip ?? 'this address'}.`,
    { details: { reason: 'address' } },
  );
}
