import { skipToken, useQuery } from '@tanstack/react-query';
import { api, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, useDebounced } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';

/** A record that matches the text of the command palette. */
export interface FoundRecord {
  readonly path: string;
  readonly group: string;
  /** Amount, name, payment method and date, as far as it has them. */
  readonly label: string;
}

const TYPING_PAUSE_MS = 150;
const TEXT_MIN = 2;
const limit = 4;

const joined = (...parts: readonly (string | null | undefined | false)[]) => parts.filter(Boolean).join(' · ');

/** Returns the newest payments, customers and invoices that match a text, as far as the user may see them; empty while they are searched. */
export function useFoundRecords(typed: string): readonly FoundRecord[] {
  const may = useMay();
  const { merchantId } = useMerchant();
  const q = useDebounced(typed, TYPING_PAUSE_MS);
  const isSearched = q.length >= TEXT_MIN && q === typed;
  const query = { merchantId, q, limit };
  const key = ['palette', merchantId, q];
  const payments = useQuery({
    queryKey: [...key, 'payments'],
    queryFn:
      isSearched && may('transactions:read')
        ? ({ signal }) => takePage(api.GET('/api/v1/transactions', { params: { query }, signal }))
        : skipToken,
  });
  const customers = useQuery({
    queryKey: [...key, 'customers'],
    queryFn:
      isSearched && may('customers:read')
        ? ({ signal }) => takePage(api.GET('/api/v1/customers', { params: { query }, signal }))
        : skipToken,
  });
  const invoices = useQuery({
    queryKey: [...key, 'invoices'],
    queryFn:
      isSearched && may('invoices:read') ? ({ signal }) => takePage(api.GET('/api/v1/invoices', { params: { query }, signal })) : skipToken,
  });
  if (!isSearched) return [];
  return [
    ...(payments.data?.items ?? []).map(({ transactionId, amount, currency, customer, card, createdAt }) => ({
      path: `/transactions/${transactionId}`,
      group: t('Transactions'),
      label: joined(writeMoney(amount, currency), customer?.name, card && `•• ${card.last4}`, dayText(createdAt.slice(0, 10))),
    })),
    ...(customers.data?.items ?? []).map((customer) => ({
      path: `/customers/${customer.customerId}`,
      group: t('Customers'),
      label: joined(...new Set([customerName(customer), customer.email])),
    })),
    ...(invoices.data?.items ?? []).map(({ invoiceId, number, amount, currency, customer, createdAt }) => ({
      path: `/invoices/${invoiceId}`,
      group: t('Invoices & links'),
      label: joined(number, writeMoney(amount, currency), customer?.name, dayText(createdAt.slice(0, 10))),
    })),
  ];
}
