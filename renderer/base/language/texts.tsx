import { cloneElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { texts } from './instance.ts';

/** Values of the placeholders of a text. `count` chooses between singular and plural. */
type TextValues = Readonly<Record<string, string | number>>;

/**
 * Returns an English text in the language of the screens, with values for its `{{placeholders}}`; `{{count, number}}` writes a number with
 * separators. The language never changes while the page is open, so constants of modules may contain the result.
 */
export function t(text: string, values: TextValues = {}): string {
  return withoutSecondPeriod(texts.t(text, values));
}

interface TransProps {
  /** English text, in which `<0>…</0>` or `<0/>` marks the place of each component. */
  readonly i18nKey: string;
  /** Elements at these places; the marked text becomes their content. */
  readonly components: readonly ReactElement<{ children?: ReactNode }>[];
  readonly values?: TextValues;
}

const MARKED = /<(\d)>(.*?)<\/\1>|<(\d)\/>/s;

/** A text with elements in it, in the language of the screens. Values are shown as they are, also if they contain marks. */
export function Trans({ i18nKey, components, values = {} }: TransProps) {
  const template = texts.t(i18nKey, { ...values, skipInterpolation: true });
  return <>{withComponents(template, components, values)}</>;
}

function withComponents(template: string, components: TransProps['components'], values: TextValues): ReactNode[] {
  const nodes: ReactNode[] = [];
  let rest = template;
  for (let found = MARKED.exec(rest); found; found = MARKED.exec(rest)) {
    const [whole, index = found[3], inner] = found;
    const component = components[Number(index)];
    nodes.push(filled(rest.slice(0, found.index), values));
    if (component !== undefined) {
      const content = inner === undefined ? [] : withComponents(inner, components, values);
      nodes.push(<Fragment key={nodes.length}>{content.length === 0 ? component : cloneElement(component, {}, ...content)}</Fragment>);
    }
    rest = rest.slice(found.index + whole.length);
  }
  return rest === '' ? nodes : [...nodes, filled(rest, values)];
}

const filled = (template: string, values: TextValues): string =>
  withoutSecondPeriod(texts.services.interpolator.interpolate(template, values, texts.language, {}));

/** A Spanish time ends with a period, "5:19 p. m.", which also ends the sentence. */
const withoutSecondPeriod = (text: string): string => text.replaceAll(/\b([ap]\.\s?m\.)\./g, '$1');
