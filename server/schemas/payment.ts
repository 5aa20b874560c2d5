import { Type } from 'typebox';
import type { PaymentFilter } from '#core/sales/payment-list';
import { TENDER_KINDS } from '#core/sales/tenders';
import { PageQuery } from './fields.ts';
import { filterFrom, oneOf, sortBy, TransactionFilters } from './list.ts';

/** Filters of payments, in their list and their export. */
export const PaymentFilters = { ...TransactionFilters, paymentMethod: oneOf('card', 'ach', 'token', ...TENDER_KINDS) };
/** Query of the list of payments. */
export const PaymentListQuery = Type.Object({ ...PageQuery, ...PaymentFilters, sort: sortBy('-createdAt', 'createdAt', 'amount') });

/** Returns the filter of a validated query. */
export const paymentFilterFrom = (query: Type.Static<typeof PaymentListQuery>): PaymentFilter => filterFrom(query);
