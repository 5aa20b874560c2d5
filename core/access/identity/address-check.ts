import { ServiceError } from '#core/kernel';
import type { Dependencies, LoginContext } from './dependencies.ts';
import { isAllowedAddress } from './networks.ts';

/** A credential as the check of its address sees it. */
interface LimitedCredential {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly name: string;
  readonly merchantId: string | null;
  readonly kind: string;
  readonly allowedAddresses: readonly string[];
}

/** Checks that a credential is used from one of its addresses. @throws ServiceError PERMISSION_DENIED with `details.reason` `address`. */
export type CheckAddress = (credential: LimitedCredential, context: Omit<LoginContext, 'kind'>) => Promise<void>;

/** Refusals of one credential from one address have one entry in this time. */
const RECORDED_EVERY_MS = 3_600_000;
const REMEMBERED_MAX = 1_000;

export function createAddressCheck({ database, audit }: Pick<Dependencies, 'database' | 'audit'>): CheckAddress {
  const recordedAt = new Map<string, number>();

  return async ({ tenantId, credentialId, name, merchantId, kind, allowedAddresses }, { ip, requestId, userAgent }) => {
    if (isAllowedAddress(allowedAddresses, ip)) return;
    const isKey = kind === 'api-key';
    const refusal = `${credentialId} ${ip}`;
    const now = performance.now();
    if (now - (recordedAt.get(refusal) ?? Number.NEGATIVE_INFINITY) > RECORDED_EVERY_MS) {
      if (recordedAt.size >= REMEMBERED_MAX) recordedAt.clear();
      recordedAt.set(refusal, now);
      const actor = { tenantId, credentialId, name, ip, requestId, userAgent };
      const resource = `${isKey ? 'api-keys' : 'users'}/${credentialId}`;
      await database.unitOfWork.transaction(tenantId, async (work) =>
        audit(work, { actor, action: 'address.refused', resource, merchantId }),
      );
    }
    throw new ServiceError(
      'PERMISSION_DENIED',
      `${isKey ? 'This API key' : 'Your role'} does not accept requests from ${ip ?? 'this address'}.`,
      {
        details: { reason: 'address' },
      },
    );
  };
}
