import { createTerminals } from '#core/processing/terminals';
import { deriveKey } from '#core/records/vault';
import { createCardSaves, terminalUses } from '#core/sales/card-saves';
import { createCustomers } from '#core/sales/customers';
import { createDiscounts } from '#core/sales/discounts';
import { createGiftCards } from '#core/sales/gift-cards';
import { createItems } from '#core/sales/items';
import { createOrders } from '#core/sales/orders';
import { createPaymentList } from '#core/sales/payment-list';
import { createPayments, lastPayments } from '#core/sales/payments';
import { createShifts } from '#core/sales/shifts';
import { createTenders } from '#core/sales/tenders';
import type { Foundation } from './foundation.ts';
import type { CoreOptions } from './options.ts';

export type SalesArea = ReturnType<typeof createSales>;

/** Constructs the capabilities of sales. */
export function createSales(options: CoreOptions, foundation: Foundation) {
  const { database } = options;
  const { common, approvals, audit, changes, environmentOf, gateways, installation, limits, merchants, notifications, secrets, vault } =
    foundation;
  const { clockOf, merchantFor } = common;
  const items = createItems({ database, clockOf, merchantFor, audit: audit.record, changed: changes.publish });
  const discounts = createDiscounts({ ...common, reasonForApproval: approvals.reasonFor });
  const customers = createCustomers({
    ...common,
    vault,
    environmentOf,
    merchants,
    updateLinkKey: deriveKey(installation, 'card-update-links'),
    lastPayments: (tenantId, ids) => lastPayments(database.read(tenantId), ids),
  });
  const shifts = createShifts(common);
  const terminals = createTerminals({ ...common, merchants, gateways, usesOf: terminalUses });
  const payments = createPayments({
    ...common,
    shiftOf: shifts.openShiftOf,
    maxTipPercent: approvals.maxTipPercent,
    discounts,
    vault,
    gateways,
    payer: customers.payer,
    networkTransactionId: customers.networkTransactionId,
    storePaidMethod: customers.storePaidMethod,
    route: merchants.route,
    captureSendTime: merchants.gateways.holdOf,
    batchClosesAt: merchants.gateways.batchClosesAfter,
    countOutcome: options.countOutcome,
    terminals,
  });
  const cardSaves = createCardSaves({ ...common, gateways, terminals, customers, vault, isStopping: payments.isStopping });
  const giftCards = createGiftCards({ ...common, shifts, customers, limits, secrets, delivers: notifications.delivers });
  const tenders = createTenders({ ...common, shifts, customers, giftCards, claimDiscount: discounts.claim });
  const orders = createOrders({
    ...common,
    customers,
    giftCards,
    payments,
    tenders,
    shifts,
    shiftOf: shifts.openShiftOf,
    claimDiscount: discounts.claim,
    releaseDiscount: discounts.release,
  });
  const paymentList = createPaymentList({ payments, tenders });
  return { items, discounts, customers, shifts, terminals, payments, cardSaves, giftCards, tenders, orders, paymentList };
}
