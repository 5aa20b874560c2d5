import { type Html, html } from '../html.ts';
import type { Texts } from './texts.ts';
import { CUSTOM_TIP, isTipOffered, type TipValues } from './tip.ts';
import type { PayView } from './view.ts';

interface TipForm {
  readonly view: PayView;
  readonly texts: Texts;
  readonly kept: Partial<TipValues>;
  /** Draws a text field with its problem. */
  readonly field: (field: {
    readonly id: 'tipAmount';
    readonly label: string;
    readonly value: string | undefined;
    readonly inputmode: 'decimal';
    readonly maxlength: number;
    readonly isOptional: boolean;
  }) => Html;
}

/** Returns the choice of a tip; no tip is the default. Returns null if the page offers none. */
export function tipFields({ view, texts, kept, field }: TipForm): Html | null {
  if (view.tips === null) return null;
  const { suggested, takesAmount } = view.tips;
  const chosen = kept.tip !== undefined && isTipOffered({ tip: kept.tip }, view) ? kept.tip : '';
  const choice = (value: string, id: string, label: Html | string) =>
    html`<label><input type="radio" name="tip" id="${id}" value="${value}"${value === chosen && html` checked`}> <span>${label}</span></label>`;
  return html`<fieldset class="field"><legend>${texts.tip.title}</legend>
<div class="choices">
${choice('', 'tip-none', texts.tip.none)}
${suggested.map(({ percent, amount }) => choice(percent, `tip-${percent}`, html`${percent}%<br> <span class="small quiet" data-percent="${percent}">${amount ?? ''}</span>`))}
${takesAmount && choice(CUSTOM_TIP, 'tip-custom', texts.tip.custom)}
</div>
${takesAmount && html`<div class="custom-tip">${field({ id: 'tipAmount', label: texts.tip.amount, value: kept.tipAmount, inputmode: 'decimal', maxlength: 20, isOptional: true })}</div>`}
</fieldset>`;
}
