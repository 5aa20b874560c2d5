import type { BankSource, CardSource } from '#core/records/vault';
import { OWN_FORMAT, OWN_VERSION } from './files/index.ts';
import type { ExportLayout } from './records.ts';

/** A payment method with its number. */
interface ExportMethod {
  readonly id: string;
  readonly customer_id: string;
  readonly consent_text: string | null;
  readonly consent_at: string | null;
  readonly network_transaction_id: string | null;
  readonly source: CardSource | BankSource;
}

/** A customer with payment methods. */
export interface ExportCustomer {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  readonly address: string | null;
  readonly notes: string | null;
  readonly metadata: string | null;
  readonly default_method_id: string | null;
  readonly externalIds: readonly { readonly source: string; readonly external_id: string }[];
  readonly methods: readonly ExportMethod[];
}

/** Writes a file of one layout. */
interface LayoutWriter {
  readonly filename: string;
  begin(): string;
  customer(customer: ExportCustomer): string;
  end(): string;
}

/** Returns the writer of a layout (`docs/moving-customers.md`). */
export const writerOf = (layout: ExportLayout): LayoutWriter => (layout === 'paydesk' ? PAYDESK : stripeWriter());

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

/** JSON Lines with a first line that names the format. */
const PAYDESK: LayoutWriter = {
  filename: 'customers.jsonl',
  begin: () => `${JSON.stringify({ format: OWN_FORMAT, version: OWN_VERSION })}\n`,
  customer: (customer) =>
    `${JSON.stringify({
      customerId: customer.id,
      firstName: customer.first_name,
      lastName: customer.last_name,
      company: customer.company,
      email: customer.email,
      phone: customer.phone,
      address: parsed(customer.address),
      notes: customer.notes,
      metadata: parsed(customer.metadata),
      externalIds: customer.externalIds.map(({ source, external_id: id }) => ({ source, id })),
      paymentMethods: customer.methods.map((method) => ({
        paymentMethodId: method.id,
        ...numbersOf(method.source),
        networkTransactionId: method.network_transaction_id,
        isDefault: method.id === customer.default_method_id,
        consentText: method.consent_text,
        consentAt: method.consent_at,
      })),
    })}\n`,
  end: () => '',
};

function numbersOf(source: CardSource | BankSource) {
  if (source.kind === 'card') return { cardNumber: source.number, expiryMonth: source.expiryMonth, expiryYear: source.expiryYear };
  const { routingNumber, accountNumber, accountType, accountHolderName } = source;
  return { routingNumber, accountNumber, accountType, accountHolderName };
}

/**
 * JSON with the field names of Stripe's card export (https://docs.stripe.com/get-started/data-migrations/export-file-formats). Bank accounts have no
 * place in it, and customers without cards are part of it.
 */
function stripeWriter(): LayoutWriter {
  let between = '';
  return {
    filename: 'customers.json',
    begin: () => '[\n',
    customer(customer) {
      const text = `${between}${JSON.stringify(stripeCustomer(customer))}`;
      between = ',\n';
      return text;
    },
    end: () => '\n]\n',
  };
}

function stripeCustomer(customer: ExportCustomer) {
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ') || customer.company;
  const address = (parsed(customer.address) ?? {}) as Readonly<Record<string, string>>;
  return {
    id: customer.id,
    name,
    email: customer.email,
    description: customer.notes,
    default_source: customer.default_method_id,
    metadata: parsed(customer.metadata) ?? {},
    cards: customer.methods.flatMap(({ id, source, network_transaction_id }) =>
      source.kind !== 'card'
        ? []
        : [
            {
              id,
              name,
              number: source.number,
              exp_month: Number(source.expiryMonth),
              exp_year: Number(source.expiryYear),
              address_line1: address.street ?? null,
              address_city: address.city ?? null,
              address_state: address.state ?? null,
              address_zip: address.zip ?? null,
              address_country: address.country ?? null,
              transaction_ids: network_transaction_id,
            },
          ],
    ),
  };
}
