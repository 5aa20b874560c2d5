// Files of customers as other providers export them.

/** Returns the n-th valid card number in a range of test cards. */
export function testCard(n: number, range = '411111'): string {
  const digits = `${range}${String(n).padStart(9, '0')}`;
  const sum = [...digits].reduceRight((total, digit, index) => {
    const doubled = (digits.length - index) % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

export const STRIPE_HEADER =
  'description,name,email,id,card.address_city,card.address_country,card.address_line1,card.address_line2,card.address_state,card.address_zip,card.exp_month,card.exp_year,card.id,card.name,card.number,default_source,card.transaction_ids';

/** Returns a row of Stripe's CSV. */
export function stripeRow(
  n: number,
  { number = testCard(n), month = '12', year = '2035', customer = `cus_Old${n}`, name = `Ann Marsh${n}` } = {},
) {
  return `Since 2019,${name},ann${n}@customer.example,${customer},Portland,US,1 Main St,Apt ${n},ME,04101,${month},${year},card_${n},${name},${number},card_${n},01234567890${n}`;
}
