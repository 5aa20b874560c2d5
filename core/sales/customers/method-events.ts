import type { Work } from '#core/database';
import { timeAfter } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { CustomerRow, MethodRow } from './schema.ts';

/** Emits the event of a payment method that was renewed, or that replaced another one. */
export function emitMethodUpdated(
  deps: Dependencies,
  work: Work,
  customer: CustomerRow,
  method: MethodRow,
  replacedId: string | null,
  updatedBy: 'customer' | 'merchant',
): void {
  deps.emit(work, {
    tenantId: customer.tenant_id,
    merchantId: customer.merchant_id,
    resourceId: method.id,
    atMs: timeAfter(deps.clockOf(customer.tenant_id).now(), customer.updated_at),
    type: 'payment_method.updated',
    data: {
      paymentMethodId: method.id,
      customerId: customer.id,
      replacedPaymentMethodId: replacedId === method.id ? null : replacedId,
      type: method.kind,
      brand: method.brand,
      last4: method.last4,
      expiryMonth: method.expiry_month,
      expiryYear: method.expiry_year,
      updatedBy,
    },
  });
}
