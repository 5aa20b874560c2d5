import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useList } from './list-handle.ts';

const DEBOUNCE_MS = 250;
const TEXT_MAX = 200;

interface SearchBoxProps {
  /** Accessible name of the search. */
  readonly label: string;
  readonly placeholder: string;
  readonly widthPx: number;
  /** Current search text of the list. */
  readonly value: string;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
  readonly onSearch: (text: string) => void;
  /** Called for Enter, instead of moving the focus into rows that already show the results of the text. */
  readonly onEnter?: (text: string) => void;
  /** Called for the down arrow, instead of moving the focus into the list of the screen. */
  readonly onArrowDown?: () => void;
}

/** Search field of a list. Searches when the user stops typing; Esc clears it. */
export function SearchBox({ label, placeholder, widthPx, value, inputRef, onSearch, onEnter, onArrowDown }: SearchBoxProps) {
  const list = useList();
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(value);
  // Other values of the address may change during the delay.
  const search = useRef(onSearch);
  useLayoutEffect(() => {
    search.current = onSearch;
  });
  // The address may change otherwise, such as by a cleared filter or the back button.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (typed: string) => {
    clearTimeout(timer.current);
    sent.current = typed.trim();
    search.current(sent.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      const isShown = text.trim() === value;
      if (!isShown) send(text);
      if (onEnter) onEnter(text.trim());
      else if (isShown) list?.focusFirst();
    } else if (event.key === 'ArrowDown') {
      if (text.trim() !== value) send(text);
      if (onArrowDown) onArrowDown();
      else list?.focusFirst();
    } else if (event.key === 'Escape' && text !== '') {
      setText('');
      send('');
    } else return;
    event.preventDefault();
  };
  return (
    <TextField
      type="search"
      value={text}
      inputRef={inputRef}
      placeholder={placeholder}
      onChange={({ target }) => {
        setText(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => send(target.value), DEBOUNCE_MS);
      }}
      onKeyDown={onKeyDown}
      slotProps={{
        htmlInput: { 'aria-label': label, autoComplete: 'off', spellCheck: false, maxLength: TEXT_MAX },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Search size={16} aria-hidden />
            </InputAdornment>
          ),
        },
      }}
      sx={{ width: { xs: '100%', sm: widthPx }, flexShrink: 0 }}
    />
  );
}
