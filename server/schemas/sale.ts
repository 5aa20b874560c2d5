import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { pascal } from '#server/http';
import { BankAuthorizationIn, ChannelIn } from './channel.ts';
import { DiscountIdIn } from './discount.ts';
import {
  AmountIn,
  CurrencyIn,
  DiscountIn,
  OrderLinesIn,
  OwnFieldsIn,
  PartsIn,
  PurchaseOrderIn,
  ShippingAddressIn,
  Text,
} from './fields.ts';
import { checkMetadata } from './input.ts';
import { LineItemsIn } from './line-item.ts';

type InPascal<Fields> = { [Name in keyof Fields & string as Capitalize<Name>]: Fields[Name] };

/** Returns a function that reads the values of fields from a body. */
function reader<Fields extends TProperties>(fields: Fields, nameOf = (name: string) => name) {
  const names = Object.keys(fields).map((name) => [name, nameOf(name)] as const);
  return (body: object): Static<TObject<Fields>> => {
    const values: Record<string, unknown> = {};
    for (const [name, sent] of names) values[name] = (body as Readonly<Record<string, unknown>>)[sent];
    return values as Static<TObject<Fields>>;
  };
}

/** Returns fields in the naming of the Public and SDK surfaces, and what connects them with the names of the core. */
export function inPascal<Fields extends TProperties>(fields: Fields) {
  const renamed = (fieldOf: (name: string) => unknown, nameOf = (name: string) => name) =>
    Object.fromEntries(Object.keys(fields).map((name) => [nameOf(name), fieldOf(name)]));
  return {
    /** The declaration of the fields. */
    fields: renamed((name) => fields[name], pascal) as unknown as InPascal<Fields>,
    /** Names of the request by the names of the core, for errors. */
    names: renamed(pascal) as Readonly<Record<keyof Fields & string, string>>,
    /** Returns the values of a request under the names of the core. */
    from: reader(fields, pascal) as (body: Static<TObject<InPascal<Fields>>>) => Static<TObject<Fields>>,
  };
}

export const PARTS = inPascal(PartsIn);

/** Fields of a new payment that each surface has. */
const SaleFieldsIn = {
  amount: AmountIn,
  currency: Type.Optional(CurrencyIn),
  ...PartsIn,
  discountAmount: DiscountIn,
  discountId: DiscountIdIn,
  purchaseOrderNumber: Type.Optional(PurchaseOrderIn),
  ...OwnFieldsIn,
  orderLines: OrderLinesIn,
  allowPartialApproval: Type.Optional(
    Type.Boolean({
      description:
        'true if a part of the amount may be approved, for a sale by card: `amount` is then the approved part and `requestedAmount` the requested amount; otherwise such an approval is voided and the payment is declined',
    }),
  ),
  customerId: Type.Optional(Text(60, 'a customer; without a payment method the default one is charged')),
  channel: ChannelIn,
  merchantId: Type.Optional(Text(60, 'merchant that charges, for a caller of the whole account; by default its first one')),
};
/** The same on the SDK surface. */
export const SALE = inPascal(SaleFieldsIn);

/** Fields of a new payment on the Admin and the Public surface. */
export const DetailedSaleIn = {
  ...SaleFieldsIn,
  lineItems: LineItemsIn,
  shippingAddress: Type.Optional(ShippingAddressIn),
  bankAuthorization: BankAuthorizationIn,
};
/** The same in the naming of the Public surface. */
export const DETAILED_SALE = inPascal(DetailedSaleIn);

const detailedSale = reader(DetailedSaleIn);

/** Returns the fields of a new payment in a body. @throws VALIDATION_ERROR for too much metadata. */
export function saleFrom(body: Static<TObject<typeof DetailedSaleIn>>) {
  const sale = detailedSale(body);
  return { ...sale, metadata: checkMetadata(sale.metadata) };
}
