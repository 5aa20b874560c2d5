import { FileFault, type RawRecord } from './raw-record.ts';

/** Largest number of characters of a record. Only the longer record is rejected; it must not fill the memory. */
const RECORD_MAX = 262_144;
const DEPTH_MAX = 64;
/** Names of the list of customers in files whose first character is not that of the list. */
const LISTS = new Set(['customers', 'customer', 'profiles', 'customerprofiles', 'records', 'data']);

/**
 * Creates a reader that divides JSON text, which arrives in pieces, into the objects of customers: a list of objects, a list inside of another
 * object, or objects one after another, such as JSON Lines. Memory is bounded by the longest record.
 * @throws FileFault if the text is no such JSON or ends in the middle of a record.
 */
export function createJsonReader() {
  const open: ('{' | '[')[] = [];
  let line = 1;
  /** Depth at which the objects of customers begin; null before the first character. */
  let recordDepth: number | null = null;
  let hasRecords = false;
  let inString = false;
  let isEscaped = false;
  let isName = false;
  let name = '';
  /** Text of the present record; null outside of a record and in one that is too long. */
  let text: string | null = null;
  let isTooLong = false;
  let firstLine = 1;

  const isInRecord = () => recordDepth !== null && open.length > recordDepth;

  function begin(): void {
    text = '';
    isTooLong = false;
    firstLine = line;
  }

  /** Returns the finished record. */
  function finish(): RawRecord {
    hasRecords = true;
    const content = text;
    text = null;
    if (isTooLong) return { line: firstLine, fault: `the record is longer than ${RECORD_MAX} characters` };
    try {
      return { line: firstLine, value: JSON.parse(content ?? '') as Readonly<Record<string, unknown>> };
    } catch {
      return { line: firstLine, fault: 'the record is not valid JSON' };
    }
  }

  function keep(piece: string): void {
    if (text === null) return;
    if (text.length + piece.length > RECORD_MAX) {
      text = null;
      isTooLong = true;
    } else text += piece;
  }

  /** Returns true if the list that begins here has the customers, and what was read so far surrounds it. */
  function isListOfCustomers(): boolean {
    if (hasRecords || recordDepth !== 0 || open.length === 0 || open.length > 3) return false;
    const key = name.toLowerCase().replace(/[^a-z]/g, '');
    return LISTS.has(key) && (key !== 'data' || open.length === 1);
  }

  function opened(char: '{' | '['): void {
    if (open.length >= DEPTH_MAX) throw new FileFault(line, 'values are nested too deeply');
    if (recordDepth === null) recordDepth = char === '[' ? 1 : 0;
    else if (char === '[' && isListOfCustomers()) {
      recordDepth = open.length + 1;
      text = null;
    }
    if (char === '{' && open.length === recordDepth) begin();
    open.push(char);
  }

  return {
    *read(chunk: string): Generator<RawRecord> {
      let start = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        const char = chunk[index] as string;
        if (char === '\n') line += 1;
        if (inString) {
          if (isEscaped) isEscaped = false;
          else if (char === '\\') isEscaped = true;
          else if (char === '"') inString = false;
          else if (char === '\n' && isInRecord()) {
            // A text never spans lines, so the rest of this record is unreadable. The next one begins on a later line.
            inString = false;
            open.length = recordDepth ?? 0;
            text = null;
            start = index;
            hasRecords = true;
            yield { line: firstLine, fault: 'a quotation mark is not closed' };
          } else if (isName && name.length < 40) name += char;
          continue;
        }
        if (char === '"') {
          inString = true;
          isName = true;
          name = '';
        } else if (char === '{' || char === '[') {
          if (!isInRecord() || (char === '[' && isListOfCustomers())) start = index;
          opened(char);
        } else if (char === '}' || char === ']') {
          const wasInRecord = isInRecord();
          const expected = char === '}' ? '{' : '[';
          if (open.pop() !== expected) throw new FileFault(line, 'the file is not valid JSON');
          if (wasInRecord && !isInRecord()) {
            keep(chunk.slice(start, index + 1));
            start = index + 1;
            yield finish();
          }
        } else if (open.length === 0 && !/[\s,]/.test(char)) throw new FileFault(line, 'the file is not valid JSON');
      }
      if (isInRecord()) keep(chunk.slice(start));
    },
    end(): void {
      if (open.length > 0 || inString) throw new FileFault(line, 'the file ends in the middle of a record');
    },
  };
}
