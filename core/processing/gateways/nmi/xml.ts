import { SaxesParser } from 'saxes';

/** An element of a response, without its attributes. */
export interface Element {
  readonly name: string;
  readonly children: readonly Element[];
  /** Text of the element without surrounding white space. */
  readonly text: string;
}

const DEPTH_MAX = 16;
/** A page of 500 transactions has half of them. The host of a gateway is chosen by its merchant, so its responses are not trusted. */
const ELEMENTS_MAX = 100_000;
const BYTE_ORDER_MARK = /^\ufeff/;
/** A document type at the start, which would be read to its end before it is refused. */
const DOCUMENT_TYPE = /^(<\?[^>]*>\s*)?<!DOCTYPE/;

/**
 * Returns the root of a well-formed document, and null for anything else. Documents with a document type are refused; the processor never
 * declares one. Reading stops at the first error, at elements that are nested too deep, and at too many of them.
 */
export function readXml(document: string): Element | null {
  const content = document.replace(BYTE_ORDER_MARK, '').trimStart();
  if (DOCUMENT_TYPE.test(content)) return null;
  const parser = new SaxesParser({ position: false });
  const root = { name: '', children: [] as Element[], text: '' };
  const open = [root];
  let elements = 0;
  const refuse = () => {
    throw new UnreadableXml();
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
    elements += 1;
    if (open.length >= DEPTH_MAX || elements > ELEMENTS_MAX) refuse();
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element) element.text = element.text.trim();
  });
  try {
    parser.write(content).close();
  } catch (error) {
    if (error instanceof UnreadableXml) return null;
    throw error;
  }
  return root.children[0] ?? null;
}

class UnreadableXml extends Error {}

export function childrenOf(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name);
}

/** Returns the text of the first child with a name; undefined if there is none or it is empty. */
export function textOf(element: Element | undefined, name: string): string | undefined {
  return element?.children.find((child) => child.name === name)?.text || undefined;
}
