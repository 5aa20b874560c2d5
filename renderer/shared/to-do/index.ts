export { toDoQuery } from './queries.ts';
export { KINDS, titleOf } from './texts.ts';
export { ToDoHeadings, ToDoLine } from './to-do-line.tsx';
export { UrgentItems } from './urgent-items.tsx';
export { useWorkThrough } from './work-through.ts';
