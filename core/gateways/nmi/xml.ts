import { SaxesParser } from 'saxes';

/** An element of a response, without its attributes. */
export interface Element {
  readonly name: string;
  readonly children: readonly Element[];
  /** Text of the element without surrounding white space. */
  readonly text: string;
}

const DEPTH_MAX = 16;
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Returns the root of a well-formed document, and null for anything else. Documents with a document type are refused; the processor never
 * declares one.
 */
export function readXml(document: string): Element | null {
  const parser = new SaxesParser({ position: false });
  const root = { name: '', children: [] as Element[], text: '' };
  const open = [root];
  let isWellFormed = true;
  const refuse = () => {
    isWellFormed = false;
  };
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ name }) => {
    const element = { name, children: [], text: '' };
    open.at(-1)?.children.push(element);
    if (open.length < DEPTH_MAX) open.push(element);
    else refuse();
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element) element.text = element.text.trim();
  });
  parser.write(document.replace(BYTE_ORDER_MARK, '').trimStart()).close();
  return isWellFormed ? (root.children[0] ?? null) : null;
}

export function childrenOf(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name);
}

/** Returns the text of the first child with a name; undefined if there is none or it is empty. */
export function textOf(element: Element | undefined, name: string): string | undefined {
  return element?.children.find((child) => child.name === name)?.text || undefined;
}
