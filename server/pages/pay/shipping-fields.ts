import { isRegionOptional } from '#shared/shipping-address';
import { type Html, html } from '../html.ts';
import { countriesIn, SHIPPING_LENGTHS, type ShippingField, type ShippingValues } from './shipping.ts';
import type { Texts } from './texts-en.ts';
import type { PayView } from './view.ts';

interface ShippingForm {
  readonly view: PayView;
  readonly texts: Texts;
  readonly kept: Partial<ShippingValues>;
  /** Draws a text field with its problem. */
  readonly field: (field: {
    readonly id: ShippingField;
    readonly label: string;
    readonly value: string | undefined;
    readonly autocomplete: string;
    readonly maxlength: number;
    readonly isOptional: boolean;
  }) => Html;
  readonly fault: string | undefined;
}

/** Returns the fields of the shipping address. */
export function shippingFields({ view, texts, kept, field, fault }: ShippingForm): Html {
  const country = kept.shippingCountry ?? view.country;
  const line = (id: ShippingField, autocomplete: string, isOptional = false) =>
    field({
      id,
      label: texts.shipping[id],
      value: kept[id],
      autocomplete: `shipping ${autocomplete}`,
      maxlength: SHIPPING_LENGTHS[id],
      isOptional,
    });
  const isOptional = isRegionOptional(view.country);
  return html`<fieldset class="shipping" id="shipping"><legend>${texts.shipping.title}</legend>
${line('shippingStreet', 'street-address')}
${line('shippingCity', 'address-level2')}
<div class="pair">
${line('shippingState', 'address-level1', isOptional)}
${line('shippingZip', 'postal-code', isOptional)}
</div>
<div class="field"><label for="shippingCountry">${texts.shipping.shippingCountry}</label>
${fault !== undefined && html`<span class="wrong" id="shippingCountry-fault">${fault}</span>`}
<select id="shippingCountry" name="shippingCountry" autocomplete="shipping country"${fault !== undefined && html` aria-invalid="true" aria-describedby="shippingCountry-fault"`}>
${countriesIn(view.language).map(([code, name]) => html`<option value="${code}"${code === country && html` selected`}>${name}</option>`)}
</select></div>
</fieldset>`;
}
