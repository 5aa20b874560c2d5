import { AddPayments1763600000000 } from './1763600000000-add-payments.ts';
import { AddVault1763600000001 } from './1763600000001-add-vault.ts';
import { AddIdentity1763600000002 } from './1763600000002-add-identity.ts';
import { AddWebhooks1763600000003 } from './1763600000003-add-webhooks.ts';
import { AddRefundQueueAndScheduledWork1763600000004 } from './1763600000004-add-refund-queue-and-scheduled-work.ts';
import { AddRateWindows1763600000005 } from './1763600000005-add-rate-windows.ts';
import { AddAuditLog1763600000006 } from './1763600000006-add-audit-log.ts';
import { AddRolesAndGateways1763600000007 } from './1763600000007-add-roles-and-gateways.ts';
import { AddCustomersAndSubscriptions1763600000008 } from './1763600000008-add-customers-and-subscriptions.ts';
import { AddInvoicesAndPaymentLinks1763600000009 } from './1763600000009-add-invoices-and-payment-links.ts';
import { AddLedgerAndSettlement1763600000010 } from './1763600000010-add-ledger-and-settlement.ts';
import { AddSettlementLineOrder1763600000011 } from './1763600000011-add-settlement-line-order.ts';
import { AddBackups1763600000012 } from './1763600000012-add-backups.ts';
import { AddInstallationKey1763600000014 } from './1763600000014-add-installation-key.ts';
import { AddAggregateTotals1763600000015 } from './1763600000015-add-aggregate-totals.ts';
import { AddLiveGateways1763600000016 } from './1763600000016-add-live-gateways.ts';
import { IndexFailedDeliveries1763600000017 } from './1763600000017-index-failed-deliveries.ts';
import { AddRerunClaim1763600000018 } from './1763600000018-add-rerun-claim.ts';
import { AddAuthenticators1763600000019 } from './1763600000019-add-authenticators.ts';
import { AddAuditUserAgent1763600000020 } from './1763600000020-add-audit-user-agent.ts';
import { ScanStoredCardNumbers1763600000021 } from './1763600000021-scan-stored-card-numbers.ts';
import { AddDeliveryPosition1763600000025 } from './1763600000025-add-delivery-position.ts';
import { AddSecurityEndpoints1763600000026 } from './1763600000026-add-security-endpoints.ts';
import { IndexUnsettledLinesOfTenant1763600000035 } from './1763600000035-index-unsettled-lines-of-tenant.ts';
import { AddEventHistory1763600000040 } from './1763600000040-add-event-history.ts';
import { AddSpendingLimits1763600000048 } from './1763600000048-add-spending-limits.ts';
import { AddRecordings1763600000049 } from './1763600000049-add-recordings.ts';
import { AddDisputes1763600000053 } from './1763600000053-add-disputes.ts';
import { AddDisputeEvidence1763600000054 } from './1763600000054-add-dispute-evidence.ts';
import { AddBankAccounts1763600000058 } from './1763600000058-add-bank-accounts.ts';
import { CountFeesByCaptureDay1763600000063 } from './1763600000063-count-fees-by-capture-day.ts';
import { AddAllowedOrigins1763600000070 } from './1763600000070-add-allowed-origins.ts';
import { AddDisputeReports1763600000080 } from './1763600000080-add-dispute-reports.ts';
import { AddTokenContexts1763600000081 } from './1763600000081-add-token-contexts.ts';
import { AddTendersAndShifts1763600000090 } from './1763600000090-add-tenders-and-shifts.ts';
import { AddAmountParts1763600000100 } from './1763600000100-add-amount-parts.ts';
import { AddApprovals1763600000110 } from './1763600000110-add-approvals.ts';
import { AddUserNames1763600000120 } from './1763600000120-add-user-names.ts';
import { AddSurchargeRules1763600000130 } from './1763600000130-add-surcharge-rules.ts';
import { AddReachStates1763600000135 } from './1763600000135-add-reach-states.ts';
import { AddLaterPayments1763600000136 } from './1763600000136-add-later-payments.ts';
import { AddItems1763600000140 } from './1763600000140-add-items.ts';
import { AddLineItems1763600000141 } from './1763600000141-add-line-items.ts';
import { AddCardUpdateLinks1763600000145 } from './1763600000145-add-card-update-links.ts';
import { AddCustomerTransfers1763600000150 } from './1763600000150-add-customer-transfers.ts';
import { AddBankSuggestions1763600000160 } from './1763600000160-add-bank-suggestions.ts';
import { AddShippingAddressesAndPageVisits1763600000161 } from './1763600000161-add-shipping-addresses-and-page-visits.ts';
import { AddInvoiceTaxes1763600000175 } from './1763600000175-add-invoice-taxes.ts';
import { AddDrawerOpeningsAndApprovers1763600000179 } from './1763600000179-add-drawer-openings-and-approvers.ts';
import { AddInstallmentPlans1763600000183 } from './1763600000183-add-installment-plans.ts';
import { LinkCardPaymentsToShifts1763600000195 } from './1763600000195-link-card-payments-to-shifts.ts';
import { AddTenderTaxes1763600000196 } from './1763600000196-add-tender-taxes.ts';
import { CountBankLines1763600000205 } from './1763600000205-count-bank-lines.ts';
import { SumBankLines1763600000210 } from './1763600000210-sum-bank-lines.ts';
import { NameShiftsOfPayments1763600000215 } from './1763600000215-name-shifts-of-payments.ts';
import { RetryWithRenewedMethods1763600000216 } from './1763600000216-retry-with-renewed-methods.ts';
import { FindPaymentsByShift1763600000225 } from './1763600000225-find-payments-by-shift.ts';
import { AddSubscriptionTaxes1763600000226 } from './1763600000226-add-subscription-taxes.ts';
import { AddTipsOfLinks1763600000227 } from './1763600000227-add-tips-of-links.ts';
import { AddItemCategories1763600000228 } from './1763600000228-add-item-categories.ts';
import { FindTendersByKind1763600000230 } from './1763600000230-find-tenders-by-kind.ts';
import { FindSuggestionsByPayout1763600000235 } from './1763600000235-find-suggestions-by-payout.ts';
import { OrderBankLinesByDay1763600000236 } from './1763600000236-order-bank-lines-by-day.ts';
import { AddDiscounts1763600000240 } from './1763600000240-add-discounts.ts';
import { AddDiscountsOfShifts1763600000241 } from './1763600000241-add-discounts-of-shifts.ts';
import { AddDiscountApprovals1763600000245 } from './1763600000245-add-discount-approvals.ts';
import { AddLanguagesOfUsers1763600000250 } from './1763600000250-add-languages-of-users.ts';
import { FindPayoutsInTransit1763600000255 } from './1763600000255-find-payouts-in-transit.ts';
import { NameLaterPaymentsOfPayments1763600000260 } from './1763600000260-name-later-payments-of-payments.ts';
import { AddReturnedChecks1763600000270 } from './1763600000270-add-returned-checks.ts';
import { NamePaymentsOfCredits1763600000275 } from './1763600000275-name-payments-of-credits.ts';
import { NameCurrenciesOfApprovalRules1763600000280 } from './1763600000280-name-currencies-of-approval-rules.ts';

/** All migrations, in order. Generated by `npm run migrations`. */
export const MIGRATIONS = [
  AddPayments1763600000000,
  AddVault1763600000001,
  AddIdentity1763600000002,
  AddWebhooks1763600000003,
  AddRefundQueueAndScheduledWork1763600000004,
  AddRateWindows1763600000005,
  AddAuditLog1763600000006,
  AddRolesAndGateways1763600000007,
  AddCustomersAndSubscriptions1763600000008,
  AddInvoicesAndPaymentLinks1763600000009,
  AddLedgerAndSettlement1763600000010,
  AddSettlementLineOrder1763600000011,
  AddBackups1763600000012,
  AddInstallationKey1763600000014,
  AddAggregateTotals1763600000015,
  AddLiveGateways1763600000016,
  IndexFailedDeliveries1763600000017,
  AddRerunClaim1763600000018,
  AddAuthenticators1763600000019,
  AddAuditUserAgent1763600000020,
  ScanStoredCardNumbers1763600000021,
  AddDeliveryPosition1763600000025,
  AddSecurityEndpoints1763600000026,
  IndexUnsettledLinesOfTenant1763600000035,
  AddEventHistory1763600000040,
  AddSpendingLimits1763600000048,
  AddRecordings1763600000049,
  AddDisputes1763600000053,
  AddDisputeEvidence1763600000054,
  AddBankAccounts1763600000058,
  CountFeesByCaptureDay1763600000063,
  AddAllowedOrigins1763600000070,
  AddDisputeReports1763600000080,
  AddTokenContexts1763600000081,
  AddTendersAndShifts1763600000090,
  AddAmountParts1763600000100,
  AddApprovals1763600000110,
  AddUserNames1763600000120,
  AddSurchargeRules1763600000130,
  AddReachStates1763600000135,
  AddLaterPayments1763600000136,
  AddItems1763600000140,
  AddLineItems1763600000141,
  AddCardUpdateLinks1763600000145,
  AddCustomerTransfers1763600000150,
  AddBankSuggestions1763600000160,
  AddShippingAddressesAndPageVisits1763600000161,
  AddInvoiceTaxes1763600000175,
  AddDrawerOpeningsAndApprovers1763600000179,
  AddInstallmentPlans1763600000183,
  LinkCardPaymentsToShifts1763600000195,
  AddTenderTaxes1763600000196,
  CountBankLines1763600000205,
  SumBankLines1763600000210,
  NameShiftsOfPayments1763600000215,
  RetryWithRenewedMethods1763600000216,
  FindPaymentsByShift1763600000225,
  AddSubscriptionTaxes1763600000226,
  AddTipsOfLinks1763600000227,
  AddItemCategories1763600000228,
  FindTendersByKind1763600000230,
  FindSuggestionsByPayout1763600000235,
  OrderBankLinesByDay1763600000236,
  AddDiscounts1763600000240,
  AddDiscountsOfShifts1763600000241,
  AddDiscountApprovals1763600000245,
  AddLanguagesOfUsers1763600000250,
  FindPayoutsInTransit1763600000255,
  NameLaterPaymentsOfPayments1763600000260,
  AddReturnedChecks1763600000270,
  NamePaymentsOfCredits1763600000275,
  NameCurrenciesOfApprovalRules1763600000280,
];
