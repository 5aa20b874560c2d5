import { skipToken, useQuery } from '@tanstack/react-query';
import { api, queryClient, takePage } from '#renderer/base/client';
import { dayIn } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { dayText, useDebounced } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';
import { cardName } from '#renderer/shared/gift-cards';
import { itemsQuery } from '#renderer/shared/items';
import { methodOf, payerOf } from '#renderer/shared/tenders';
import { isWholeGiftCardCode } from '#shared/gift-card-code';

/** A record that matches the text of the command palette. */
export interface FoundRecord {
  readonly path: string;
  readonly group: string;
  /** Amount, name, payment method and date, as far as it has them. */
  readonly label: string;
  /** True if the text is the whole number, ID, name or address of the record, or a whole word of its name. */
  readonly isExact: boolean;
}

const TYPING_PAUSE_MS = 150;
const TEXT_MIN = 2;
const limit = 4;
/** The list of users has no search. */
const USERS_READ = 200;

const joined = (...parts: readonly (string | null | undefined | false)[]) => parts.filter(Boolean).join(' · ');

/** Searches one kind of records, if the text is long enough and the user may see them. */
function useSearch<Item>(kind: string, permission: string, q: string, search: (signal: AbortSignal) => Promise<readonly Item[]>) {
  const { merchantId } = useMerchant();
  const isAllowed = useMay()(permission);
  const { data = [] } = useQuery({
    queryKey: ['palette', merchantId, q, kind],
    queryFn: q.length >= TEXT_MIN && isAllowed ? ({ signal }) => search(signal) : skipToken,
  });
  return data;
}

/** Returns the newest payments, customers, invoices, gift cards, items and users that match a text, as far as the user may see them; empty while they are searched. */
export function useFoundRecords(typed: string): readonly FoundRecord[] {
  const { merchantId, currency, timezone } = useMerchant();
  const day = (at: string) => dayText(dayIn(timezone, new Date(at)));
  // A whole code of a gift card is in no address.
  const q = useDebounced(isWholeGiftCardCode(typed) ? '' : typed, TYPING_PAUSE_MS);
  const query = { merchantId, q, limit };
  const payments = useSearch(
    'payments',
    'transactions:read',
    q,
    async (signal) => (await takePage(api.GET('/api/v1/payments', { params: { query }, signal }))).items,
  );
  const customers = useSearch(
    'customers',
    'customers:read',
    q,
    async (signal) => (await takePage(api.GET('/api/v1/customers', { params: { query }, signal }))).items,
  );
  const invoices = useSearch(
    'invoices',
    'invoices:read',
    q,
    async (signal) => (await takePage(api.GET('/api/v1/invoices', { params: { query }, signal }))).items,
  );
  const giftCards = useSearch(
    'gift-cards',
    'gift-cards:read',
    q,
    async (signal) => (await takePage(api.GET('/api/v1/gift-cards', { params: { query }, signal }))).items,
  );
  const matches = (...texts: readonly (string | null)[]) => {
    const wanted = q.toLowerCase();
    return texts.some(
      (text) =>
        text
          ?.toLowerCase()
          .split(/\s+/)
          .some((word) => word.startsWith(wanted)) || text?.toLowerCase().startsWith(wanted),
    );
  };
  const items = useSearch('items', 'items:read', q, async () =>
    (await queryClient.fetchQuery(itemsQuery(merchantId))).filter(({ name, key, barcode }) => matches(name, key, barcode)).slice(0, limit),
  );
  const users = useSearch('users', 'users:read', q, async (signal) =>
    (
      await takePage(
        api.GET('/api/v1/merchants/{merchantId}/users', { params: { path: { merchantId }, query: { limit: USERS_READ } }, signal }),
      )
    ).items
      .filter(({ name, email }) => matches(name, email))
      .slice(0, limit),
  );
  if (q !== typed) return [];
  const isExact = (...texts: readonly (string | null | undefined)[]) => texts.some((text) => text?.toLowerCase() === q.toLowerCase());
  const isNamed = (name: string | null, ...texts: readonly (string | null)[]) => isExact(name, ...(name?.split(/\s+/) ?? []), ...texts);
  return [
    ...customers.map((customer) => ({
      path: `/customers/${customer.customerId}`,
      group: t('Customers'),
      label: joined(...new Set([customerName(customer), customer.email])),
      isExact: isNamed(customerName(customer), customer.email),
    })),
    ...invoices.map(({ invoiceId, number, amount, currency: billedIn, customer, createdAt }) => ({
      path: `/invoices/${invoiceId}`,
      group: t('Invoices & links'),
      label: joined(number, writeMoney(amount, billedIn), customer?.name, day(createdAt)),
      isExact: isExact(number),
    })),
    ...payments.map((payment) => {
      const { amount = 0, currency: paidIn = currency, orderId } = payment.transaction ?? payment.tender ?? {};
      return {
        path: `/transactions/${payment.paymentId}`,
        group: t('Transactions'),
        label: joined(writeMoney(amount, paidIn), payerOf(payment), methodOf(payment), day(payment.createdAt)),
        isExact: isExact(orderId),
      };
    }),
    ...giftCards.map((card) => ({
      path: `/gift-cards/${card.giftCardId}`,
      group: t('Gift cards'),
      label: joined(cardName(card), writeMoney(card.balance, card.currency), day(card.createdAt)),
      isExact: false,
    })),
    ...items.map(({ name, key, barcode, price, currency: pricedIn }) => ({
      path: `/settings/items?q=${encodeURIComponent(name)}`,
      group: t('Items'),
      label: joined(name, key, writeMoney(price, pricedIn)),
      isExact: isExact(name, key, barcode),
    })),
    ...users.map(({ id, name, email }) => ({
      path: `/users?user=${id}`,
      group: t('Users and roles'),
      label: joined(...new Set([name, email])),
      isExact: isNamed(name, email),
    })),
  ];
}
